import ApplePay
import ApplePaySandbox
import HTTP
import HTTPTypes
import JSON
import Testing
import TestSupport
import Values

struct TokenOrderTests {
    private static let base = #""amount":"56.56","currency":"USD""#

    @Test(arguments: [
        ("", "EC_v1"), (#","version":"EC_v1","pan":"4508750015741019","name":"A. Payer","eci":"7""#, "EC_v1"),
        (#","version":"RSA_v1""#, "RSA_v1"), (#","type":"EMV""#, "EC_v1"),
        (#","type":"EMV","version":"RSA_v1","pinData":"00ff""#, "RSA_v1"), (#","merchantToken":"MT-1""#, "EC_v1"),
        (
            #","subMerchants":[{"merchantIdentifier":"a","amount":"50.00"},{"merchantIdentifier":"b","amount":6.56}]"#,
            "EC_v1"
        ),
        (#","applicationData":"order 1","cryptogram":"IA/8pdiWftSsxpFT6wABoDABhgA=""#, "EC_v1"),
        (#","merchant":"TESTMERCHANT","at":null"#, "EC_v1"),
    ])
    func `a token is minted and opens`(further: String, version: String) async throws {
        let control = try TestControl()
        let response = try await control.control(.post, "tokens", "{\(Self.base)\(further)}")
        #expect(response.status == 201, "\(response.text)")
        #expect(response.string("version") == version)
        #expect(response.string("signingTime") == LocalMerchant.instant.description)
        let token = try #require(response.string("paymentToken"))
        let report = control.local.opener.open(text: token, at: .signing)
        #expect(report.failedSteps == [])
        #expect(report.paymentData?.transactionAmountMinorUnits == 5656)
    }

    @Test func `a whole request is made around a token, and pays`() async throws {
        let control = try TestControl()
        let response = try await control.control(.post, "tokens", "{\(Self.base),\"request\":\"PAY\"}")
        let content = try #require(response["request"])
        #expect(content["apiOperation"] == "PAY")
        var request = Request.payment()
        request.body = content.serialized()
        let reply = try #require(await control.send(request))
        #expect(reply.status == 201, "\(reply.text)")
        #expect(reply.string("response.gatewayCode") == "APPROVED")
    }

    @Test func `every defect can be minted, and the step that is named refuses it`() async throws {
        let control = try TestControl()
        let listed = try await control.control(.get, "tokens").elements("defects")
        #expect(listed.count == MintDefect.allCases.count)
        for defect in MintDefect.allCases {
            let further =
                switch defect.requirement {
                case .version(let version): #","version":"\#(version.rawValue)""#
                case .encryptedPIN: #","version":"RSA_v1","type":"EMV","pinData":"00""#
                case .submerchants: #","subMerchants":[{"merchantIdentifier":"a","amount":"56.56"}]"#
                case nil: ""
                }
            let response = try await control.control(
                .post, "tokens", "{\(Self.base)\(further),\"defect\":\"\(defect.rawValue)\"}")
            #expect(response.status == 201, "\(defect): \(response.text)")
            #expect(response.string("defect.refusedAt") == defect.refusingStep.rawValue)
        }
    }

    @Test func `a broken token is refused, and its report is there`() async throws {
        let control = try TestControl()
        let minted = try await control.control(
            .post, "tokens", "{\(Self.base),\"request\":\"AUTHORIZE\",\"defect\":\"tag-altered\"}")
        var request = Request.payment()
        request.body = try #require(minted["request"]).serialized()
        let reply = try #require(await control.send(request))
        #expect(reply.status == 400)
        let name = try #require(HTTPField.Name("Tollgate-Report"))
        let id = try #require(reply.head.headerFields[name])
        let report = try await control.control(.get, "reports/\(id)")
        #expect(report.status == 200)
        #expect(report.string("verdict") == "rejected")
        #expect(try await control.control(.get, "requests").elements("requests").first?["report"] == .string(id))
    }

    @Test(arguments: [
        ("", "400 currency"), ("{}", "400 currency"), ("[]", "400 -"), ("null", "400 -"), ("{", "400 -"),
        (#"{"amount":"1"}"#, "400 currency"), (#"{"currency":"USD"}"#, "400 amount"),
        (#"{"amount":"1","currency":"usd"}"#, "400 currency"), (#"{"amount":"1","currency":1}"#, "400 currency"),
        (#"{"amount":"1.005","currency":"USD"}"#, "400 amount"), (#"{"amount":-1,"currency":"USD"}"#, "400 amount"),
        (#"{"amount":1e2,"currency":"USD"}"#, "400 amount"), (#"{"amount":true,"currency":"USD"}"#, "400 amount"),
        (#"{"amount":"","currency":"USD"}"#, "400 amount"), (#"{"amount":"1","amount":"1","currency":"USD"}"#, "400 -"),
        ("{\(base),\"pan\":\"4508750015741018\"}", "400 pan"), ("{\(base),\"pan\":4508750015741019}", "400 pan"),
        ("{\(base),\"expiry\":\"12/39\"}", "400 expiry"), ("{\(base),\"cryptogram\":\"%\"}", "400 cryptogram"),
        ("{\(base),\"eci\":\"x\"}", "400 eci"), ("{\(base),\"eci\":\"123\"}", "400 eci"),
        ("{\(base),\"type\":\"PIN\"}", "400 type"), ("{\(base),\"emvData\":\"AAAA\"}", "400 emvData"),
        ("{\(base),\"pinData\":\"00\"}", "400 pinData"), ("{\(base),\"type\":\"EMV\",\"eci\":\"7\"}", "400 eci"),
        ("{\(base),\"type\":\"EMV\",\"pinData\":\"00\"}", "400 pinData"),
        ("{\(base),\"version\":\"EC_v2\"}", "400 version"), ("{\(base),\"at\":\"today\"}", "400 at"),
        ("{\(base),\"at\":\"2013-12-31T23:59:59Z\"}", "400 at"),
        ("{\(base),\"at\":\"2050-01-01T00:00:00Z\"}", "400 at"),
        ("{\(base),\"merchant\":\"NOBODY\"}", "400 merchant"), ("{\(base),\"merchant\":\"a b\"}", "400 merchant"),
        ("{\(base),\"request\":\"VOID\"}", "400 request"), ("{\(base),\"defect\":\"none\"}", "400 defect"),
        ("{\(base),\"defect\":\"wrapped-key-altered\"}", "400 defect"),
        ("{\(base),\"crytogram\":\"AA\"}", "400 crytogram"),
        ("{\(base),\"subMerchants\":{}}", "400 subMerchants"),
        ("{\(base),\"subMerchants\":[1]}", "400 subMerchants[0]"),
        ("{\(base),\"subMerchants\":[{\"amount\":1}]}", "400 subMerchants[0].merchantIdentifier"),
        (
            "{\(base),\"subMerchants\":[{\"merchantIdentifier\":\"a\",\"amount\":\"1.001\"}]}",
            "400 subMerchants[0].amount"
        ),
        ("{\(base),\"name\":\"\(String(repeating: "a", count: 257))\"}", "400 name"),
    ])
    func `the error for a wrong member names it, and repeats no card data`(
        body: String, refusal: String
    ) async throws {
        let response = try await TestControl().control(.post, "tokens", body)
        #expect(response.refusal == refusal)
        #expect(!response.text.contains("4508750015741018"))
        #expect(!response.text.contains("4508750015741019"))
    }

    @Test(arguments: [(HTTPRequest.Method.post, "tokens", "{\(base)}"), (.get, "sandbox", "")])
    func `without a sandbox nothing is minted and no password shown`(
        method: HTTPRequest.Method, path: String, body: String
    ) async throws {
        #expect(try await TestControl(hasSandbox: false).control(method, path, body).refusal == "404 -")
    }

    @Test(arguments: [
        (UInt16?.none, "127.0.0.1:8080", "http://127.0.0.1:8080"), (nil, "localhost", "http://localhost"),
        (9000, "127.0.0.1:8081", "http://127.0.0.1:9000"), (9000, "localhost", "http://localhost:9000"),
        (9000, "[::1]", "http://[::1]:9000"), (9000, "[::1]:1", "http://[::1]:9000"),
    ])
    func `the sandbox's description has the client's host`(port: UInt16?, host: String, baseURL: String) async throws {
        let response = try await TestControl(merchantPort: port).send(.to(.get, "/_tollgate/sandbox", host: host))
        #expect(
            response?.text
                == #"{"applePay":{"certificate":"PEM","merchantIdentifier":"merchant.example.tollgate"},"#
                + #""baseUrl":"\#(baseURL)","currency":"USD","merchant":"TESTMERCHANT","#
                + #""merchantId":"TESTMERCHANT","#
                + #""password":"\#(TestControl.password)"}"#)
    }
}
