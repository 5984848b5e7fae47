import HTTP
import HTTPTypes
import RadialAPI
import Testing
import TestSupport
import Values
import Vault

/// The request by which a store's webhook receives a settlement's status.
struct RadialWebhookTests {
    private static func request(_ url: String, _ credentials: RadialWebhook.Credentials?) async throws -> Request {
        let outbox = Outbox(store: InMemoryStore(), keys: try .test())
        let (merchant, now) = (try MerchantID("A"), Instant(secondsSinceEpoch: 1_700_000_000))
        try await outbox.add(Array("<x/>".utf8), kind: .settlementStatus, id: "event-1", for: merchant, at: now)
        let message = try #require(try await outbox.take(for: 1, of: merchant, at: now))
        let webhook = RadialWebhook(address: try #require(HTTPURL(url)), credentials: credentials)
        return webhook.request(for: message)
    }

    @Test func `the request carries the event and its id`() async throws {
        let request = try await Self.request("https://shop.example:8443/events?x=1", nil)
        #expect(request.head.method == .post)
        #expect(request.head.authority == "shop.example:8443")
        #expect(request.head.path == "/events?x=1")
        #expect(request.head.headerFields[try #require(.init("Tollgate-Event-Id"))] == "event-1")
        #expect(request.head.headerFields[.contentType] == "text/xml;charset=UTF-8")
        #expect(request.body == Array("<x/>".utf8))
        #expect(request.credentials == CredentialFields())
    }

    @Test func `a user and password are sent as wiped credentials, and in no other field`() async throws {
        let credentials = RadialWebhook.Credentials(user: "Aladdin", password: SecretText("open sesame"))
        let request = try await Self.request("https://shop.example/", credentials)
        // The example of RFC 7617 §2.
        let value = WipedBuffer(Array("Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==".utf8))
        #expect(request.credentials[.authorization] == [value])
        #expect(request.head.headerFields[.authorization] == nil)
    }

    @Test func `the kind of settlement statuses is that of earlier versions' messages`() {
        #expect(OutboxKind.settlementStatus == OutboxKind("settlementStatus"))
    }
}
