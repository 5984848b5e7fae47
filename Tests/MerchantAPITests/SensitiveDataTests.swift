import ApplePaySandbox
import HTTP
import JSON
import OpenSSL
import Payments
import TestSupport
import Testing
import Values
import Vault

/// `responseControls.sensitiveData`: account numbers in clear, for those who may see them.
struct SensitiveDataTests {
    private static let path = "responseControls.sensitiveData"
    private static let certificate = SHA256.hash(Array("a certificate".utf8))
    private static let card = "sourceOfFunds.provided.card"
    private static let dpan = TestPayment.deviceAccountNumber
    private static let maskedDPAN = "512345xxxxxx0008"

    private static func gate(
        _ privileges: Set<Privilege> = Set(Privilege.allCases), store: any PaymentStore = InMemoryStore(),
        keys: KeyRing? = nil
    ) throws -> Gate {
        try Gate(
            [
                Merchant(
                    id: try MerchantID("M"), passwords: [APIPassword(digesting: SecretText("random"))], applePay: nil,
                    privileges: privileges, certificateFingerprints: [certificate])
            ], store: store, keys: keys)
    }

    private static func request(_ changes: KeyValuePairs<String, JSONValue?> = [:]) throws -> JSONValue {
        var request = try Example.changed(changes)
        request.set(path.split(separator: ".").map(String.init)[...], "UNMASK")
        return request
    }

    @Test(arguments: ["AUTHORIZE", "PAY"])
    func `a merchant known by its certificate sees DPAN and FPAN`(operation: String) async throws {
        let gate = try Self.gate()
        let request = try Self.request(["apiOperation": .string(operation)])
        let response = try await gate.put(request) { ($0.password, $0.certificate) = (nil, Self.certificate) }
        #expect(response.status == 201)
        #expect(response.string(Self.card + ".deviceSpecificNumber") == Self.dpan)
        let fpan = try #require(response.string(Self.card + ".number"))
        #expect(try AccountNumber(fpan).masked(first: 0, last: 4).suffix(4) != "0008")
        #expect(!response.text.contains("xxxx"))

        // The same request again has the same bytes, which come from what was sealed.
        let again = try await gate.put(request) { $0.certificate = Self.certificate }
        #expect(again.text == response.text)
        #expect(gate.acquirer.commands.count == 1)
    }

    @Test func `numbers are shown later too, but only on request`() async throws {
        let gate = try Self.gate()
        // Nothing was unmasked when the payment was made.
        #expect(
            try await gate.put(try Example.changed()).string(Self.card + ".deviceSpecificNumber") == Self.maskedDPAN)
        for (path, isShown) in [("", false), ("?\(Self.path)=UNMASK", true), ("?a=1&\(Self.path)=UNMASK", true)] {
            for resource in ["/order/1", "/order/1/transaction/1"] {
                let response = try await gate.ask(
                    Gate.Question(path: resource + path, certificate: Self.certificate))
                #expect(response.status == 200)
                #expect(
                    response.string(Self.card + ".deviceSpecificNumber") == (isShown ? Self.dpan : Self.maskedDPAN))
                #expect(response.text.contains("xxxx") == !isShown)
            }
        }
    }

    @Test func `what builds on a payment shows the payment's numbers`() async throws {
        let gate = try Self.gate()
        #expect(try await gate.put(try Example.changed()).status == 201)
        let capture: JSONValue = [
            "apiOperation": "CAPTURE", "responseControls": ["sensitiveData": "UNMASK"],
            "transaction": ["amount": "30.10", "currency": "USD"],
        ]
        let response = try await gate.put(capture) {
            ($0.path, $0.certificate) = ("/order/1/transaction/2", Self.certificate)
        }
        #expect(response.status == 201)
        #expect(response.string(Self.card + ".deviceSpecificNumber") == Self.dpan)
    }

    @Test func `the number of a card in clear is shown whole as well`() async throws {
        var request = try Example.plain()
        request.set(Self.path.split(separator: ".").map(String.init)[...], "UNMASK")
        let response = try await Self.gate().put(request) { $0.certificate = Self.certificate }
        #expect(response.string(Self.card + ".number") == Self.dpan)
        #expect(response.value?.at(Self.card + ".deviceSpecificNumber") == nil)
    }

    @Test(arguments: [Set<Privilege>.usual, Set(Privilege.allCases)])
    func `the name on a card is for every merchant, its number for who may see it`(privileges: Set<Privilege>)
        async throws
    {
        let gate = try Self.gate(privileges)
        let named = try Example.plain([Self.card + ".nameOnCard": "Ada L"])
        let response = try await gate.put(named)
        #expect(response.string(Self.card + ".nameOnCard") == "Ada L")
        #expect(response.string(Self.card + ".number") == Self.maskedDPAN)
        guard privileges.contains(.unmaskSensitiveData) else { return }
        for resource in ["/order/1", "/order/1/transaction/1"] {
            let unmasked = try await gate.ask(
                Gate.Question(path: "\(resource)?\(Self.path)=UNMASK", certificate: Self.certificate))
            #expect(unmasked.string(Self.card + ".nameOnCard") == "Ada L")
            #expect(unmasked.string(Self.card + ".number") == Self.dpan)
        }
    }

    @Test func `a name that was sealed under another key is a damage, and nothing is done on it`() async throws {
        let store = InMemoryStore()
        let request = try Example.plain([Self.card + ".nameOnCard": "Ada L"])
        #expect(try await Self.gate(store: store).put(request).status == 201)
        // The first key recognises requests; the one that sealed is gone.
        let other = try #require(KeyRing(SecretBytes([UInt8](repeating: 7, count: 32))))
        let gate = try Self.gate(store: store, keys: other)
        let capture: JSONValue = [
            "apiOperation": "CAPTURE", "transaction": ["amount": "30.10", "currency": "USD"],
        ]
        for response in [
            try await gate.ask(Gate.Question(path: "/order/1")),
            try await gate.ask(Gate.Question(path: "/order/1/transaction/1")),
            try await gate.put(capture) { $0.path = "/order/1/transaction/2" },
        ] {
            #expect(response.status == 500 && response.string("error.supportCode") == "STORE_DAMAGED")
        }
        let key = OrderKey(merchant: try MerchantID("M"), order: try OrderID("1"))
        #expect(try await store.history(of: key)?.transactions.count == 1)
        // A ring that still has the old key opens what it sealed.
        let rotated = try Self.gate(store: store, keys: KeyRing.test(count: 2))
        #expect(try await rotated.put(request).string(Self.card + ".nameOnCard") == "Ada L")
    }

    @Test func `without a certificate nothing is unmasked, and nothing happens`() async throws {
        let gate = try Self.gate()
        let refused =
            "400 | \(Self.path) | INVALID | Value 'UNMASK' is invalid. The request must be authenticated by certificate"
        #expect(try await gate.put(try Self.request()).refusal == refused)
        #expect(try await gate.put(try Self.request()) { $0.certificate = SHA256.hash([]) }.refusal == refused)
        for path in ["/order/1", "/order/1/transaction/1"] {
            let question = Gate.Question(path: "\(path)?\(Self.path)=UNMASK")
            #expect(try await gate.ask(question).refusal == refused)
        }
        #expect(gate.acquirer.commands.isEmpty)
    }

    @Test func `without the privilege nothing is unmasked or even kept`() async throws {
        let store = InMemoryStore()
        let poor = try Self.gate(.usual, store: store)
        let refused =
            "400 | \(Self.path) | INVALID | Value 'UNMASK' is invalid. Missing merchant privilege "
            + "'Unmask Sensitive Data'"
        #expect(try await poor.put(try Self.request()) { $0.certificate = Self.certificate }.refusal == refused)
        #expect(try await poor.put(try Example.changed()).status == 201)
        // The privilege came too late for this payment.
        let rich = try Self.gate(store: store)
        let question = Gate.Question(
            path: "/order/1/transaction/1?\(Self.path)=UNMASK", certificate: Self.certificate)
        #expect(try await rich.ask(question).string(Self.card + ".deviceSpecificNumber") == Self.maskedDPAN)
    }

    @Test(arguments: ["MASK", "unmask", "UNMASK ", "x"])
    func `another value is refused`(value: String) async throws {
        var request = try Example.changed()
        request.set(Self.path.split(separator: ".").map(String.init)[...], .string(value))
        let response = try await Self.gate().put(request) { $0.certificate = Self.certificate }
        #expect(response.refusal == "400 | \(Self.path) | INVALID | Value '\(value)' is invalid. Expected UNMASK")
    }

    @Test func `numbers that were sealed under another key are a damage, and never shown wrong`() async throws {
        let store = InMemoryStore()
        #expect(try await Self.gate(store: store).put(try Example.changed()).status == 201)
        let other = try #require(KeyRing(SecretBytes([UInt8](repeating: 7, count: 32))))
        let question = Gate.Question(
            path: "/order/1/transaction/1?\(Self.path)=UNMASK", certificate: Self.certificate)
        #expect(try await Self.gate(store: store, keys: other).ask(question).status == 500)
        // A ring that still has the old key opens what it sealed.
        let rotated = try await Self.gate(store: store, keys: KeyRing.test(count: 2)).ask(question)
        #expect(rotated.string(Self.card + ".deviceSpecificNumber") == Self.dpan)
    }

    @Test func `the stored data of a payment has no number in clear`() async throws {
        let store = InMemoryStore()
        let response = try await Self.gate(store: store).put(try Self.request()) { $0.certificate = Self.certificate }
        let fpan = try #require(response.string(Self.card + ".number"))
        let key = OrderKey(merchant: try MerchantID("M"), order: try OrderID("1"))
        let history = try #require(try await store.history(of: key))
        let record = String(decoding: try #require(history.transactions.first).record, as: UTF8.self)
        #expect(record.contains(#""sealed":""#))
        for number in [fpan, Self.dpan] { #expect(!record.contains(number)) }
        #expect(try Transaction(record: Array(record.utf8)) == history.transactions.first)
    }
}
