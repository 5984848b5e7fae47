import HTTP
import HTTPTypes
import JSON
import Testing

/// Requests about sessions and tokens, and operations that use them.
extension TestAPI {
    static let base = "/api/rest/version/100/merchant/TESTMERCHANT"
    static let card: JSONValue = [
        "expiry": ["month": "05", "year": "39"], "number": "5123450000000008", "securityCode": "100",
    ]

    static func source(_ card: JSONValue) -> JSONValue { ["sourceOfFunds": ["provided": ["card": card]]] }

    func post(_ path: String, _ body: JSONValue) async -> Response {
        await send(.post, Self.base + path, bytes: body.serialized())
    }

    func createSession() async throws -> String {
        try #require(await send(.post, Self.base + "/session").string("session.id"))
    }

    func update(_ session: String, _ body: JSONValue) async -> Response {
        await put(body, Self.base + "/session/" + session)
    }

    func retrieve(_ session: String) async -> Response { await send(.get, Self.base + "/session/" + session) }

    /// A session that holds these fields.
    func session(_ fields: JSONValue = source(card)) async throws -> String {
        let id = try await createSession()
        let response = await update(id, fields)
        try #require(response.status == 200, "\(response.text)")
        return id
    }

    /// A token that stands for a card.
    func token(_ card: JSONValue = card) async throws -> String {
        try #require(await post("/token", Self.source(card)).string("token"))
    }

    func pay(_ order: String, _ changes: KeyValuePairs<String, JSONValue?>, transaction: String = "1") async -> Response
    {
        var request: JSONValue = ["apiOperation": "PAY", "order": ["amount": "10.00", "currency": "USD"]]
        for (path, value) in changes { request.set(path.split(separator: ".").map(String.init)[...], value) }
        return await put(request, "\(Self.base)/order/\(order)/transaction/\(transaction)")
    }
}
