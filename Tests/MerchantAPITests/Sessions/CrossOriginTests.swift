import HTTP
import HTTPTypes
import JSON
import Payments
import TestSupport
import Testing
import Values
import Vault

/// What pages of other origins may ask and read (WHATWG Fetch, "CORS protocol").
struct CrossOriginTests {
    private static func fields(_ response: Response) -> [String: String] {
        var fields: [String: String] = [:]
        for field in response.head.headerFields where field.name.canonicalName.hasPrefix("access-control") {
            fields[field.name.rawName] = field.value
        }
        return fields
    }

    @Test(arguments: [49, 50, 100])
    func `a page may ask whether it may update a session`(version: Int) async throws {
        let path = "/api/rest/version/\(version)/merchant/M/session/SESSION0002"
        let response = await (try TestAPI()).send(.options, path, authorization: [])
        #expect(response.status == 204)
        #expect(response.text.isEmpty)
        #expect(
            Self.fields(response) == [
                "Access-Control-Allow-Origin": "*", "Access-Control-Allow-Methods": "PUT",
                "Access-Control-Allow-Headers": "Authorization, Content-Type",
                "Access-Control-Expose-Headers": "Tollgate-Notice", "Access-Control-Max-Age": "600",
            ])
    }

    @Test(arguments: [
        "/api/rest/version/100/merchant/M/session", "/api/rest/version/100/merchant/M/order/1",
        "/api/rest/version/100/merchant/M/order/1/transaction/1", "/api/rest/version/100/merchant/M/token/1",
        "/api/rest/version/100/information",
    ])
    func `no page may call what a merchant's server calls`(path: String) async throws {
        let response = await (try TestAPI()).send(.options, path, authorization: [])
        // A browser goes on only after a status of success.
        #expect(response.status == 405)
    }

    @Test func `an updated session is readable by the payer's page`() async throws {
        let api = try TestAPI()
        let session = try await api.sessions.create(
            for: try MerchantID("TESTMERCHANT"), authenticationLimit: nil, at: TestPayment.instant)
        let response = await api.send(
            .put, "/api/rest/version/100/merchant/TESTMERCHANT/session/\(session.id)",
            body: #"{"customer":{"firstName":"Ada"}}"#)
        #expect(response.status == 200)
        #expect(
            Self.fields(response) == [
                "Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "Tollgate-Notice",
            ])
    }

    /// The fields of the recorded errors of January 2023.
    @Test(arguments: [
        ("/api/rest/version/101/information", 404), ("/api/rest/version/100/merchant/M/order/1", 401),
        ("/api/rest/version/100/%zz", 400),
    ])
    func `an error is readable by every page, as recorded`(path: String, status: Int) async throws {
        let response = await (try TestAPI()).send(.get, path, authorization: [])
        #expect(response.status == status)
        #expect(
            Self.fields(response) == [
                "Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "*",
                "Access-Control-Allow-Methods": "GET,POST,PUT,DELETE,OPTIONS",
            ])
    }

    @Test func `a reply to a server is not readable by a page`() async throws {
        let response = await (try TestAPI()).send(.get, "/api/rest/version/100/information", authorization: [])
        #expect(response.status == 200)
        #expect(Self.fields(response).isEmpty)
    }
}
