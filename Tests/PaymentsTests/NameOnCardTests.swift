import JSON
import Payments
import Synchronization
import TestSupport
import Testing
import Values
import Vault

/// The name on a card in clear: sealed in records, opened in answers.
struct NameOnCardTests {
    private static let name = "Ada Secret-Lovelace"

    private static func payment(order: String = "order-1") throws -> TestPayment {
        try TestPayment {
            $0.order = order
            $0.sourceOfFunds = .card(try TestPayment.plainCard(name: name))
        }
    }

    private static func kept(in store: InMemoryStore, order: String = "order-1") async throws -> Transaction {
        let key = try payment(order: order).key
        return try #require(try await store.history(of: key)?.transactions.first)
    }

    /// A transaction's record with another sealed name.
    private static func replacing(_ sealed: JSONValue?, in transaction: Transaction) throws -> [UInt8] {
        guard case .object(var members) = try JSONValue(parsing: transaction.record),
            case .object(var card)? = members["card"]
        else { return [] }
        card["sealedName"] = sealed
        members["card"] = .object(card)
        return JSONValue.object(members).serialized()
    }

    /// A store that has nothing but a transaction of this record.
    private static func store(of record: [UInt8], as payment: TestPayment) async throws -> InMemoryStore {
        let store = InMemoryStore()
        let fingerprint = try InstallationKey.test.fingerprint(ofParameters: SecretText(payment.parameters))
        let commit = Commit(transaction: try Transaction(record: record), fingerprint: fingerprint, token: nil)
        #expect(try await store.commit(commit) == .committed)
        return store
    }

    @Test(arguments: [TestStep.authorize("30.10"), .pay("5757.00"), .verify, .refundToCard("5.00")])
    func `a name is opened in the answer and sealed in the store`(step: TestStep) async throws {
        let store = InMemoryStore()
        let gateway = try Gateway.test(store: store, acquirer: TestSimulator.acquirer())
        var payment = try Self.payment()
        payment.privileges = Set(Privilege.allCases)
        let answered = try await gateway.perform(payment.command(of: step), at: TestPayment.instant)
        #expect(answered.card.nameOnCard == SecretText(Self.name))
        #expect(try await gateway.perform(payment.command(of: step), at: TestPayment.instant) == answered)
        #expect(try await gateway.retrieve(answered.id, of: payment.key).transaction == answered)
        #expect(try await gateway.retrieve(payment.key).transactions == [answered])

        let kept = try await Self.kept(in: store)
        #expect(kept.card.nameOnCard == nil && kept.card.sealedName?.count == 37 + Self.name.utf8.count)
        #expect(try Transaction(record: answered.record) == kept)
        for coding in Codings.all(of: Self.name) { #expect(!answered.record.contains(coding)) }
        var dumped = ""
        dump(answered, to: &dumped)
        #expect(!dumped.contains("Lovelace"))
    }

    @Test func `a card without a name has none sealed`() async throws {
        for card in [try TestPayment.deviceCard(), try TestPayment.plainCard()] {
            let gateway = try Gateway.test(store: InMemoryStore(), acquirer: TestSimulator.acquirer())
            let answered = try await gateway.perform(
                TestPayment { $0.sourceOfFunds = .card(card) }.command, at: TestPayment.instant)
            #expect(answered.card.nameOnCard == nil && answered.card.sealedName == nil)
        }
    }

    @Test func `a record without a name is read, and one with what is no base64 is not`() async throws {
        let store = InMemoryStore()
        let gateway = try Gateway.test(store: store, acquirer: TestSimulator.acquirer())
        _ = try await gateway.perform(try Self.payment().command, at: TestPayment.instant)
        let kept = try await Self.kept(in: store)
        #expect(try Transaction(record: Self.replacing(nil, in: kept)).card.sealedName == nil)
        for wrong in [JSONValue.null, 5, "A", "*"] {
            let record = try Self.replacing(wrong, in: kept)
            #expect(throws: RecordFault.member("sealedName")) { try Transaction(record: record) }
        }
    }

    @Test(arguments: ["altered", "cut", "empty", "of another order", "under another key"])
    func `a name that can't be opened is a damage, which is reported`(damage: String) async throws {
        let store = InMemoryStore()
        let gateway = try Gateway.test(store: store, acquirer: TestSimulator.acquirer())
        let payment = try Self.payment()
        _ = try await gateway.perform(payment.command, at: TestPayment.instant)
        _ = try await gateway.perform(try Self.payment(order: "order-2").command, at: TestPayment.instant)
        let kept = try await Self.kept(in: store)
        var sealed = try #require(kept.card.sealedName)
        let fault: SealingFault
        switch damage {
        case "altered":
            sealed[30] ^= 1
            fault = .notAuthentic
        case "cut":
            sealed.removeLast(sealed.count - 36)
            fault = .malformed
        case "empty":
            sealed = []
            fault = .malformed
        case "of another order":
            sealed = try #require(try await Self.kept(in: store, order: "order-2").card.sealedName)
            fault = .notAuthentic
        default:
            sealed[1] ^= 1
            fault = .unknownKey
        }
        let record = try Self.replacing(.string(Base64.encoded(sealed)), in: kept)
        let damaged = try await Self.store(of: record, as: payment)
        let reports = Reports()
        let reader = try Gateway.test(
            store: damaged, acquirer: TestSimulator.acquirer(), report: { reports.add($0) })
        let failure = StoreFailure.damaged(detail: "sealed name on card: \(fault)")

        let capture = try TestPayment { $0.transaction = "2" }.command(of: .capture("30.10"))
        let questions: [() async throws -> Void] = [
            { _ = try await reader.retrieve(payment.key) },
            { _ = try await reader.retrieve(kept.id, of: payment.key) },
            { _ = try await reader.perform(payment.command, at: TestPayment.instant) },
            { _ = try await reader.perform(capture, at: TestPayment.instant) },
        ]
        for question in questions {
            await #expect { try await question() } throws: { "\($0)" == "\(Refusal.storeUnavailable(failure))" }
        }
        #expect(reports.all == Array(repeating: failure, count: questions.count))
        // The capture, whose answer could not be given, was not carried out.
        #expect(try await damaged.history(of: payment.key)?.transactions.count == 1)
    }
}

/// What an operator was told.
private final class Reports: Sendable {
    private let failures = Mutex<[StoreFailure]>([])

    var all: [StoreFailure] { failures.withLock { $0 } }

    func add(_ failure: StoreFailure) { failures.withLock { $0.append(failure) } }
}
