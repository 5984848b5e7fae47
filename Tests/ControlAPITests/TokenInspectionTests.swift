import ApplePay
import ApplePaySandbox
import HTTP
import HTTPTypes
import JSON
import TestSupport
import Testing
import Values

struct TokenInspectionTests {
    /// A token as the payment sheet gives it, minted for the sandbox merchant.
    private func token(of control: TestControl, _ further: String = "") async throws -> String {
        let minted = try await control.control(.post, "tokens", #"{"amount":"56.56","currency":"USD"\#(further)}"#)
        return try #require(minted.string("paymentToken"), "\(minted.text)")
    }

    private func quoted(_ text: String) -> String {
        String(decoding: JSONValue.string(text).serialized(), as: UTF8.self)
    }

    private func failed(_ report: Response) -> [String] {
        report.elements("steps").filter { $0["outcome"] == "failed" }.compactMap {
            guard case .string(let step) = $0["step"] else { return nil }
            return step
        }
    }

    @Test func `a token is judged in every form in which people paste it`() async throws {
        let control = try TestControl()
        let token = try await token(of: control)
        let base64 = Base64.encoded(Array(token.utf8))
        let request = TokenRequest.content(of: "PAY", amount: "56.56", currency: "USD", token: Array(token.utf8))
        let whole = String(decoding: request.serialized(), as: UTF8.self)
        let forms = [
            (token, 0), (quoted(token), 0), (quoted(quoted(token)), 1), (quoted(base64), 1),
            (quoted(base64.prefix(76) + "\n" + base64.dropFirst(76) + "\n"), 1), (#"{"paymentData":\#(token)}"#, 1),
            (#"{"token":{"paymentData":\#(token)}}"#, 1), (whole, 0), (quoted(whole), 0),
        ]
        for (form, noteCount) in forms {
            let report = try await control.control(.post, "inspect", #"{"token":\#(form)}"#)
            #expect(report.status == 200, "\(report.text)")
            #expect(report.string("verdict") == "accepted", "\(report.text)")
            #expect(report.string("merchant") == "TESTMERCHANT")
            #expect(report.elements("notes").count == noteCount, "\(report.text)")
            #expect(report.elements("steps").count == TokenStep.allCases.count)
        }
    }

    @Test(arguments: MintDefect.allCases)
    func `a broken token is explained with its remedy`(defect: MintDefect) async throws {
        let further =
            switch defect.requirement {
            case .version(let version): #","version":"\#(version.rawValue)""#
            case .encryptedPIN: #","version":"RSA_v1","type":"EMV","pinData":"00""#
            case .submerchants: #","subMerchants":[{"merchantIdentifier":"a","amount":"56.56"}]"#
            case nil: ""
            }
        let control = try TestControl()
        let token = try await token(of: control, #","defect":"\#(defect.rawValue)"\#(further)"#)
        let report = try await control.control(.post, "inspect", #"{"token":\#(quoted(token))}"#)
        // Only a payment can tell what the token is compared with.
        guard defect.refusingStep != .transactionDetails, defect.refusingStep != .replay else { return }
        #expect(report.status == 200, "\(report.text)")
        #expect(failed(report).contains(defect.refusingStep.rawValue), "\(report.text)")
        for step in report.elements("steps") {
            guard step["outcome"] == "failed" else {
                #expect(step["remedy"] == nil)
                continue
            }
            guard case .string(let detail) = step["detail"], case .string(let remedy) = step["remedy"] else {
                Issue.record("\(report.text)")
                continue
            }
            #expect(!remedy.isEmpty && detail.hasSuffix(" " + remedy))
        }
    }

    @Test func `an inspection reveals no card data, and uses nothing up`() async throws {
        let control = try TestControl()
        let cryptogram = "IA/8pdiWftSsxpFT6wABoDABhgA="
        let token = try await token(
            of: control, #","pan":"5123450000000008","name":"Ada Payer","cryptogram":"\#(cryptogram)""#)
        let report = try await control.control(.post, "inspect", #"{"token":\#(token)}"#)
        #expect(report.string("paymentData.applicationPrimaryAccountNumber") == "512345xxxxxx0008")
        #expect(report.string("paymentData.paymentData.onlinePaymentCryptogram") == "masked")
        for secret in ["5123450000000008", cryptogram, "Ada"] { #expect(!report.text.contains(secret)) }

        var request = Request.payment()
        request.body = TokenRequest.content(of: "PAY", amount: "56.56", currency: "USD", token: Array(token.utf8))
            .serialized()
        #expect(await control.send(request)?.status == 201)
    }

    @Test func `a token of another key names the keys of the merchants`() async throws {
        let control = try TestControl()
        let other = try LocalMerchant(control.local.authority)
        let token = try other.mint(try other.order())
        for merchant in ["", #","merchant":"TESTMERCHANT""#, #","merchant":null"#] {
            let report = try await control.control(.post, "inspect", #"{"token":\#(token)\#(merchant)}"#)
            #expect(failed(report) == ["publicKeyHash"], "\(report.text)")
            #expect(report.text.contains(Base64.encoded(control.local.key.publicKeyHash)))
            #expect(report.string("merchant") == (merchant.contains("TEST") ? "TESTMERCHANT" : nil))
        }
    }

    @Test(arguments: [
        ("", "400 token"), ("{}", "400 token"), (#"{"token":null}"#, "400 token"), (#"{"token":""}"#, "400 token"),
        (#"{"token":7}"#, "400 token"), (#"{"token":[]}"#, "400 token"), (#"{"token":"no token"}"#, "400 token"),
        (#"{"token":"[1]"}"#, "400 token"), (#"{"token":"AAAA"}"#, "400 token"), (#"{"token":{}}"#, "400 token"),
        (#"{"token":"x","at":"now"}"#, "400 at"),
        (#"{"token":{"version":"EC_v1"},"merchant":"OTHER"}"#, "400 merchant"),
        (#"{"token":{"version":"EC_v1"},"merchant":"a b"}"#, "400 merchant"), ("[]", "400 -"), ("{", "400 -"),
    ])
    func `what is no token is refused`(body: String, refusal: String) async throws {
        let control = try TestControl()
        let response = try await control.control(.post, "inspect", body)
        #expect(response.refusal == refusal, "\(response.text)")
    }

    @Test func `what is too large for a token is refused with the limit`() async throws {
        let control = try TestControl()
        let token = #"{"version":"\#(String(repeating: "x", count: 65_536))"}"#
        let response = try await control.control(.post, "inspect", #"{"token":\#(token)}"#)
        #expect(response.refusal == "400 token")
        #expect(response.text.contains("65536"))
        let larger = try await control.control(.post, "inspect", #"{"token":\#(quoted(token + token))}"#)
        #expect(larger.refusal == "400 -")
        #expect(larger.text.contains("131072"))
    }

    @Test func `a merchant without Apple Pay keys opens no token`() async throws {
        let control = try TestControl(hasKeys: false)
        for merchant in ["", #","merchant":"TESTMERCHANT""#] {
            let response = try await control.control(
                .post, "inspect", #"{"token":{"version":"EC_v1"}\#(merchant)}"#)
            #expect(response.refusal == (merchant.isEmpty ? "400 -" : "400 merchant"), "\(response.text)")
        }
    }
}
