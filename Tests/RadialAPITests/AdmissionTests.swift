import HTTP
import HTTPTypes
import Payments
import Testing
import TestSupport
import Values
import Vault

/// Paths, methods, content types and API keys, in the order in which they are judged.
struct AdmissionTests {
    private static let service = "creditcard/auth/VC.xml"

    @Test(arguments: [
        "creditcard/auth/VC", "creditcard/auth.xml", "creditcard/auth/VC/VC.xml", "creditcard/void/VC.xml", "x.xml",
        "auth/cancel.xml", "tendertype/lookup/VC/x.xml", "decryptblob", "creditcard/auth/VC.json",
    ])
    func `an unknown path is 404 for every client`(service: String) async throws {
        let reply = try await TestStore().send(service, Message.card().text, apiKey: nil)
        #expect(reply.head.status == .notFound)
        #expect(reply.faultCode == "UnknownResourceException")
    }

    @Test(arguments: ["v2.0", "v1", "v1.", "v1.x", "1.0", "v1.1000"])
    func `a version other than 1 is 404`(version: String) async throws {
        let reply = try await TestStore().send(Self.service, Message.card().text, version: version)
        #expect(reply.head.status == .notFound)
    }

    @Test(arguments: ["v1.0", "v1.1", "v1.12"])
    func `every minor version is the same`(version: String) async throws {
        let reply = try await TestStore().send(Self.service, Message.card().text, version: version)
        #expect(reply.head.status == .ok)
    }

    @Test(arguments: [HTTPRequest.Method.get, .put, .delete, .head])
    func `another method is 405 and names POST`(method: HTTPRequest.Method) async throws {
        let reply = try await TestStore().send(Self.service, Message.card().text, method: method)
        #expect(reply.head.status == .methodNotAllowed)
        #expect(reply.head.headerFields[.allow] == "POST")
    }

    @Test(arguments: [
        "text/xml", "application/xml", "Text/XML; charset=UTF-8", "application/xml;charset=\"utf-8\"", nil,
    ])
    func `XML in UTF-8 is read under either type`(contentType: String?) async throws {
        let reply = try await TestStore().send(Self.service, Message.card().text, contentType: contentType)
        #expect(reply.head.status == .ok)
    }

    @Test(arguments: [
        "application/json", "application/x-www-form-urlencoded", "text/xml;charset=utf-16", "text/plain", "",
    ])
    func `another content type is 415`(contentType: String) async throws {
        let reply = try await TestStore().send(Self.service, Message.card().text, contentType: contentType)
        #expect(reply.head.status == .unsupportedMediaType)
        #expect(reply.faultCode == "UnsupportedMediaTypeException")
    }

    @Test(arguments: [nil, "", "wrong", TestStore.apiKey + "x", String(TestStore.apiKey.dropLast())])
    func `an API key that is absent or wrong is 401`(key: String?) async throws {
        let reply = try await TestStore().send(Self.service, "no XML", apiKey: key)
        #expect(reply.head.status == .unauthorized)
        #expect(reply.faultCode == "InvalidApiKeyException")
        #expect(reply.head.headerFields[.wwwAuthenticate] != nil)
        let isAbsent = key?.isEmpty ?? true
        #expect(
            reply.faultDescription
                == (isAbsent
                    ? "the header field apikey is missing, which holds the store's API key"
                    : "the apikey is not this store's"))
    }

    @Test(arguments: [
        ("", "line 1, character 1: the document ends before its root element does, or is empty"),
        ("<!DOCTYPE a>\n<a/>", "a document type declaration is not accepted"),
        ("<a>\n<b></a>", "line 2, character "), ("<a/>\nx", "line 2, character 1: something follows the root element"),
    ])
    func `a document that is no XML is refused with place and reason`(body: String, words: String) async throws {
        let reply = try await TestStore().send(Self.service, body)
        let description = try #require(reply.faultDescription)
        #expect(description.hasPrefix("line ") && description.contains(words), "\(description)")
    }

    @Test(arguments: ["TESTMERCHANT", "tmsus", "", "OTHER"])
    func `a store that there is not is 401, as a wrong key is`(id: String) async throws {
        let reply = try await TestStore().send(Self.service, Message.card().text, store: id)
        #expect(reply.head.status == .unauthorized)
    }

    @Test(arguments: [
        "", "x", "<", "<CreditCardAuthRequest", "<!DOCTYPE a><a/>", "<a/><b/>",
        "<?xml version=\"1.0\"?><!DOCTYPE r [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><r>&e;</r>",
    ])
    func `content that is not XML of a kind that is read is a fault`(body: String) async throws {
        let reply = try await TestStore().send(Self.service, body)
        #expect(reply.head.status == .badRequest)
        #expect(reply.faultCode == "MalformedXmlException")
    }

    @Test func `another root element, or one of another namespace, is a fault`() async throws {
        let store = try TestStore()
        let cancel = await store.send(Self.service, Message.cancel("x").text)
        #expect(cancel.faultCode == "SchemaValidationException")
        let other = Message.card().text.replacing(Message.namespace, with: "urn:other")
        #expect(await store.send(Self.service, other).faultCode == "SchemaValidationException")
    }

    @Test(arguments: ["XX", "vc", "VISA", ""])
    func `an unknown tender type is a fault`(tender: String) async throws {
        let reply = try await TestStore().send("creditcard/auth/\(tender).xml", Message.card().text)
        #expect(reply.head.status == .badRequest)
        #expect(reply.faultCode == "InvalidTenderTypeException")
    }

    @Test func `a store over its rate learns when to retry, and a wrong key uses nothing up`() async throws {
        let store = try TestStore(requestsPerSecondMax: 1)
        for _ in 0..<3 {
            let wrong = await store.send(Self.service, Message.card().text, apiKey: "wrong", arrival: 1)
            #expect(wrong.head.status == .unauthorized)
        }
        #expect(await store.send(Self.service, Message.card().text, arrival: 1).head.status == .ok)
        let reply = await store.send(Self.service, Message.card().text, arrival: 1)
        #expect(reply.head.status == .tooManyRequests)
        #expect(reply.head.headerFields[.retryAfter] == "1")
        #expect(reply.faultCode == "ServiceUnavailableException")
        #expect(reply.faultDescription?.contains("requestsPerSecondMax") == true)
    }

    @Test func `what a store has too many of is named`() async throws {
        let claims = try await TestStore(claimsMax: 0).send(Self.service, Message.card().text)
        #expect(claims.faultDescription?.hasPrefix("the store has made 0 requests") == true)
        let tokens = try await TestStore(accountTokensMax: 0).send(Self.service, Message.card().text)
        #expect(
            tokens.faultDescription
                == "the store has as many account tokens as it may have (0); pay with those that it has, or ask the gateway's "
                + "operator to let old orders go (keepOrdersDays), or for a new data directory")
        for reply in [claims, tokens] { #expect(reply.head.status == .badRequest) }
    }

    @Test func `a store that is away is 503`() async throws {
        let reply = try await TestStore(store: AwayStore()).send(Self.service, Message.card().text)
        #expect(reply.head.status == .serviceUnavailable)
        #expect(reply.faultCode == "ServiceUnavailableException")
    }

    @Test func `a currency that the merchant does not accept is a fault`() async throws {
        let reply = try await TestStore(currencies: [.eur]).send(Self.service, Message.card().text)
        #expect(reply.head.status == .badRequest)
        #expect(reply.faultCode == "TenderGatewayConfigurationException")
        #expect(reply.faultDescription?.hasPrefix("/CreditCardAuthRequest/Amount/@currencyCode") == true)
    }

    @Test func `a merchant without keys or without the privilege opens no token`() async throws {
        let merchant = try LocalMerchant()
        let message = try Message.wallet(merchant.mint(merchant.order())).text
        let keyless = try await TestStore().send("creditcard/auth/DW.xml", message)
        #expect(keyless.faultCode == "TenderGatewayConfigurationException")
        let barred = try await TestStore(applePay: merchant.opener, privileges: [.void])
            .send("creditcard/auth/DW.xml", message)
        #expect(barred.faultCode == "AccessNotConfiguredException")
    }
}

/// A store that can't be reached.
struct AwayStore: PaymentStore {
    func recall(_ transaction: TransactionID, of order: OrderKey) async throws(StoreFailure) -> Recollection {
        throw .unavailable(detail: "away")
    }
    func history(of order: OrderKey) async throws(StoreFailure) -> OrderHistory? { throw .unavailable(detail: "away") }
    func commit(_ commit: Commit) async throws(StoreFailure) -> CommitOutcome { throw .unavailable(detail: "away") }
    func prune(
        _ retention: OrderRetention, at instant: Instant, countMax: Int
    ) async throws(StoreFailure) -> Int { throw .unavailable(detail: "away") }
    func reset() async throws(StoreFailure) { throw .unavailable(detail: "away") }
    func reset(_: MerchantID, groups _: [[UInt8]]) async throws(StoreFailure) { throw .unavailable(detail: "away") }
}
