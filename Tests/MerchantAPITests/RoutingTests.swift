import HTTP
import HTTPTypes
import JSON
import MerchantAPI
import Testing

struct RoutingTests {
    private static let merchant = "/api/rest/version/100/merchant/TESTMERCHANT"

    @Test(arguments: [
        ("/", "After url path /, expected /api"),
        ("/other", "After url path /, expected /api"),
        ("/api", "After url path /, expected /rest"),
        ("/api/nvp/version/100", "After url path /, expected /rest"),
        ("/api/rest/", "After url path /rest, expected /version"),
        ("/api/rest/version", "After url path /rest/version, expected /{version}"),
        ("/api/rest/version/100", "After url path /rest/version/100, expected /information or /merchant"),
        ("/api/rest/version/100/", "After url path /rest/version/100, expected /information or /merchant"),
        ("/api/rest/version/100/information/x", "After url path /rest/version/100/information, expected the end"),
        (
            "\(merchant)/checkout",
            "After url path /rest/version/100/merchant/TESTMERCHANT, expected /order, /paymentOptionsInquiry, /session or "
                + "/token"
        ),
        (
            "\(merchant)/session/1/2",
            "After url path /rest/version/100/merchant/TESTMERCHANT/session/1, expected the end"
        ),
        (
            "\(merchant)/paymentOptionsInquiry/1",
            "After url path /rest/version/100/merchant/TESTMERCHANT/paymentOptionsInquiry, expected the end"
        ),
        ("\(merchant)/order", "After url path /rest/version/100/merchant/TESTMERCHANT/order, expected /{orderId}"),
        (
            "\(merchant)/order/a%20b/checkout?x=/transaction",
            "After url path /rest/version/100/merchant/TESTMERCHANT/order/a%20b, expected /transaction"
        ),
        (
            "\(merchant)/order/1/transaction",
            "After url path /rest/version/100/merchant/TESTMERCHANT/order/1/transaction, expected /{transactionId}"
        ),
        (
            "\(merchant)/order/1/transaction/2/3",
            "After url path /rest/version/100/merchant/TESTMERCHANT/order/1/transaction/2, expected the end"
        ),
    ])
    func `a path that leads nowhere is told how far it was understood`(path: String, explanation: String) async throws {
        let response = await (try TestAPI()).send(.put, path, body: Example.text)
        #expect(response.refusal == "404 | - | - | \(explanation)")
        #expect(response.string("error.cause") == "INVALID_REQUEST")
        #expect(response.string("result") == "ERROR")
    }

    @Test(arguments: ["101", "0", "-1", "+1", "007", "1.0", "latest", "", "99999999999999999999", "1%30%31"])
    func `a version that is not served is refused in the real gateway's words`(version: String) async throws {
        let decoded = version == "1%30%31" ? "101" : version
        let response = await (try TestAPI()).send(.get, "/api/rest/version/\(version)/information")
        #expect(response.refusal == "404 | - | - | Unsupported value for 'version = \(decoded)'")
        #expect(
            response.text
                == #"{"error":{"cause":"INVALID_REQUEST","explanation":"Unsupported value for 'version = "#
                + #"\#(decoded)'"},"result":"ERROR"}"#
        )
    }

    @Test(arguments: [1, 22, 71, 100])
    func `every version up to the latest is served and echoed as a string`(version: Int) async throws {
        let path = "/api/rest/version/\(version)/merchant/TESTMERCHANT/order/1/transaction/1"
        let response = await (try TestAPI()).send(.put, path, body: Example.text)
        #expect(response.status == 201)
        #expect(response.value?["version"] == .string("\(version)"))
    }

    @Test func `the latest version is the installation's choice`() async throws {
        let api = try TestAPI(latestVersion: 79)
        #expect(await api.send(.get, "/api/rest/version/79/information").status == 200)
        #expect(await api.send(.get, "/api/rest/version/80/information").status == 404)
    }

    @Test(arguments: ["/api/rest/version/100/%zz", "/api/rest/version/100/%C3%28", "relative"])
    func `a path with broken encoding is refused`(path: String) async throws {
        #expect(await (try TestAPI()).send(.get, path).refusal == "400 | - | - | Malformed url path")
    }

    @Test(arguments: [
        (HTTPRequest.Method.post, TestAPI.path, "GET, HEAD, PUT"),
        (.delete, TestAPI.path, "GET, HEAD, PUT"),
        (.put, "\(merchant)/order/1", "GET, HEAD"),
        (.put, "/api/rest/version/100/information", "GET, HEAD"),
        (.options, "/api/rest/version/100/information", "GET, HEAD"),
        (.get, "\(merchant)/session", "POST"),
        (.post, "\(merchant)/session/1", "GET, HEAD, PUT"),
        (.get, "\(merchant)/token", "POST"),
        (.post, "\(merchant)/token/1", "DELETE, GET, HEAD, PUT"),
        (.put, "\(merchant)/paymentOptionsInquiry", "GET, HEAD, POST"),
    ])
    func `the reply to a method that a path doesn't have lists those it has`(
        method: HTTPRequest.Method, path: String, allowed: String
    ) async throws {
        let response = await (try TestAPI()).send(method, path, body: "{", authorization: [])
        #expect(response.refusal == "405 | - | - | Unsupported method, expected \(allowed)")
        #expect(response.head.headerFields[.allow] == allowed)
    }

    @Test func `the gateway tells that it operates, without credentials, for ten seconds`() async throws {
        let response = await (try TestAPI()).send(.get, "/api/rest/version/69/information", authorization: [])
        #expect(response.status == 200)
        #expect(response.text == #"{"gatewayVersion":"1.0.0","status":"OPERATING"}"#)
        let fields = response.head.headerFields
        #expect(fields[.contentType] == "application/json;charset=UTF-8")
        #expect(fields[.cacheControl] == "public")
        #expect(fields[.expires] == "Tue, 14 Mar 2023 10:15:44 GMT")
        #expect(fields[.lastModified] == "Tue, 14 Mar 2023 10:15:24 GMT")
    }

    /// What is wrong with a request, from left to right in the order in which it is told.
    struct Faults: OptionSet, Sendable, CaseIterable, CustomTestStringConvertible {
        let rawValue: Int
        static let path = Faults(rawValue: 1)
        static let method = Faults(rawValue: 2)
        static let syntax = Faults(rawValue: 4)
        static let credentials = Faults(rawValue: 8)
        static let fields = Faults(rawValue: 16)
        static let allCases = (0..<32).map(Faults.init(rawValue:))
        var testDescription: String { String(rawValue, radix: 2) }

        var status: Int {
            if contains(.path) { return 404 }
            if contains(.method) { return 405 }
            if contains(.syntax) { return 400 }
            if contains(.credentials) { return 401 }
            return contains(.fields) ? 400 : 201
        }
    }

    @Test(arguments: Faults.allCases)
    func `of several faults the first in the real gateway's order is told`(faults: Faults) async throws {
        var body = String(
            decoding: try Example.changed(faults.contains(.fields) ? ["order.amount": .none] : [:]).serialized(),
            as: UTF8.self)
        if faults.contains(.syntax) { body += "," }
        let response = await (try TestAPI()).send(
            faults.contains(.method) ? .post : .put, faults.contains(.path) ? TestAPI.path + "/x" : TestAPI.path,
            body: body, authorization: faults.contains(.credentials) ? ["Basic eDp5"] : [TestAPI.credentials()])
        #expect(response.status == faults.status)
        if faults.status == 400 {
            #expect(response.string("error.field") == (faults.contains(.syntax) ? nil : "order.amount"))
        }
    }

    @Test func `a request that never reached the API is refused in its form`() {
        let statuses: [HTTPResponse.Status] = [
            .badRequest, .requestTimeout, .contentTooLarge, .uriTooLong, .expectationFailed,
            .requestHeaderFieldsTooLarge, .notImplemented,
        ]
        for status in statuses {
            let response = MerchantAPI.refusalResponse(status, nil)
            #expect(response.head.status == status)
            #expect(response.string("error.cause") == "INVALID_REQUEST")
            #expect(
                response.string("error.explanation") == "The request could not be processed: \(status.reasonPhrase)")
            #expect(response.string("result") == "ERROR")
            #expect(response.head.headerFields[.contentType] == "application/json;charset=UTF-8")
        }
        #expect(MerchantAPI.refusalResponse(.serviceUnavailable, nil).string("error.cause") == "SERVER_BUSY")
        #expect(MerchantAPI.refusalResponse(.internalServerError, nil).string("error.cause") == "SERVER_FAILED")
    }
}
