import Foundation
import GRDB
import JSON
import Payments
import PostgresStore
import SQLiteStore
import Synchronization
import TestSupport
import Testing
import Values
import Vault

@testable import RadialAPI

/// Radial's claims and account tokens over every store, by one gateway and by several.
@Suite(.serialized)
struct HeldClaimTests {
    private static let card = "4012000033330026"

    /// A gateway of an installation, with all that it needs for Radial's API.
    private struct Instance: Sendable {
        let claims: RequestClaims
        let accountTokens: AccountTokens
        let gateway: Gateway

        init(_ store: any PaymentStore & SealedStore, acquirer: (any Acquirer)? = nil) throws {
            let keys = try KeyRing.test()
            claims = RequestClaims(store: store, keys: keys)
            accountTokens = AccountTokens(store: store, keys: keys)
            gateway = Gateway(
                store: store, acquirer: try acquirer ?? TestSimulator.acquirer(), keys: keys)
        }

        /// Authorizes as `CreditCardAuth` does; nil if another request has the name.
        func authorize(_ requestID: String, order: String, at instant: Instant = TestPayment.instant) async throws
            -> Transaction?
        {
            let merchant = try MerchantID("TESTMERCHANT")
            let parameters = SecretText("\(requestID) \(order)")
            guard let claim = try await claims.held(requestID, of: merchant, for: parameters) else { return nil }
            let instruction = Instruction(
                merchant: Merchant(id: merchant, passwords: [], applePay: nil), order: try OrderID(order),
                transaction: try TransactionID(requestID), source: .internet, parameters: parameters,
                particulars: .object([:]),
                commitExtension: RadialCommit(claim: claim, accountTokens: accountTokens, merchant: merchant),
                api: .radial)
            let command = Command.authorize(
                Authorize(
                    operation: .authorize, instruction: instruction, amount: try Amount("14.99", .usd),
                    sourceOfFunds: .card(try TestPayment.plainCard(HeldClaimTests.card)), walletProvider: nil))
            do throws(Refusal) { return try await gateway.perform(command, at: instant) } catch {
                guard case .parametersDiffer = error else { throw error }
                return nil
            }
        }
    }

    /// Two instances on one store or, of PostgreSQL, on two stores of one database.
    private static func instances(_ kind: StoreUnderTest) async throws -> [Instance] {
        guard kind == .postgres else {
            let store = try await kind.opened()
            return [try Instance(store), try Instance(store)]
        }
        let url = try PostgresServer.shared().url()
        return [
            try Instance(try await PostgresStore(patiently: url)),
            try Instance(try await PostgresStore(patiently: url)),
        ]
    }

    private static func written(_ batches: (transactions: BatchSizes, sealed: BatchSizes)) -> [UInt64] {
        [batches.transactions, batches.sealed].map { $0.snapshot.counts.reduce(0) { $0 + $1.count } }
    }

    @Test func `an order with a new account is one transaction of the database`() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let sqlite = try SQLiteStore(path: directory.path + "/store.sqlite")
        let postgres = try await PostgresStore(patiently: PostgresServer.shared().url())
        _ = try await Instance(sqlite).authorize("r", order: "o")
        _ = try await Instance(postgres).authorize("r", order: "o")
        #expect(Self.written(sqlite.batches) == [1, 0])
        #expect(Self.written(postgres.batches) == [1, 0])
        try sqlite.close()
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `of one request sent often to two instances one is carried out`(kind: StoreUnderTest) async throws {
        let instances = try await Self.instances(kind)
        let answers = try await race(20) { number in try await instances[number % 2].authorize("r", order: "o") }
        #expect(answers.allSatisfy { $0 != nil && $0 == answers[0] })
        let key = OrderKey(merchant: try MerchantID("TESTMERCHANT"), order: try OrderID("o"))
        #expect(try await instances[0].gateway.retrieve(key).transactions.count == 1)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `of different requests under one name to two instances one is carried out`(kind: StoreUnderTest) async throws {
        let instances = try await Self.instances(kind)
        let answers = try await race(20) { number in
            try await instances[number % 2].authorize("r", order: "order-\(number)")
        }
        #expect(answers.count { $0 != nil } == 1)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `orders of one new account at two instances are all carried out, with one token`(kind: StoreUnderTest)
        async throws
    {
        let instances = try await Self.instances(kind)
        let answers = try await race(20) { number in
            try await instances[number % 2].authorize("r-\(number)", order: "order-\(number)")
        }
        let tokens = Set(answers.map { $0?.card.accountToken })
        #expect(tokens.count == 1)
        let token = try #require(tokens.first ?? nil)
        let number = try await instances[1].accountTokens.accountNumber(of: token, of: MerchantID("TESTMERCHANT"))
        #expect(number == (try AccountNumber(Self.card)))
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a request that was claimed by an instance that ended is carried out once`(kind: StoreUnderTest) async throws {
        let instances = try await Self.instances(kind)
        let merchant = try MerchantID("TESTMERCHANT")
        let claimed = try await instances[0].claims.claim(
            "r", of: merchant, for: SecretText("r o"), at: TestPayment.instant)
        #expect(claimed == .first)
        let first = try await instances[1].authorize("r", order: "o")
        #expect(first != nil)
        #expect(try await instances[0].authorize("r", order: "o") == first)
        #expect(try await instances[0].authorize("r", order: "other") == nil)
    }

    @Test func `a request whose name is taken while the acquirer is asked moves no money`() async throws {
        let store = InMemoryStore()
        let concluded = Mutex<[Bool]>([])
        let acquirer = TakingAcquirer(
            simulator: try TestSimulator.acquirer(),
            take: { _ = try? await Instance(store).authorize("r", order: "first") },
            concluded: { isCommitted in concluded.withLock { $0.append(isCommitted) } })
        #expect(try await Instance(store, acquirer: acquirer).authorize("r", order: "second") == nil)
        #expect(concluded.withLock { $0 } == [false])
        let key = OrderKey(merchant: try MerchantID("TESTMERCHANT"), order: try OrderID("second"))
        #expect(try await store.history(of: key) == nil)
    }

    private static let later = TestPayment.instant.advanced(byMilliseconds: 40 * OrderRetention.keptMilliseconds)

    /// What was kept before orders held items is used, and stays after the orders that used it.
    private static func checkEarlierItems(_ store: any PaymentStore & SealedStore) async throws {
        let instance = try Instance(store)
        let merchant = try MerchantID("TESTMERCHANT")
        #expect(try await instance.authorize("before", order: "other") == nil)
        let transaction = try #require(try await instance.authorize("r", order: "o"))
        #expect(try await store.prune(OrderRetention(daysMax: 30), at: later, countMax: 100) > 0)
        #expect(try await instance.authorize("before", order: "other") == nil)
        #expect(try await instance.authorize("r", order: "another", at: later) != nil)
        let token = try #require(transaction.card.accountToken)
        #expect(try await instance.accountTokens.accountNumber(of: token, of: merchant) != nil)
    }

    @Test func `a file of before orders held items keeps what it has`() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let path = directory.path + "/store.sqlite"
        let first = try SQLiteStore(path: path)
        _ = try await Instance(first).authorize("before", order: "before")
        try first.close()
        let writer = try DatabaseQueue(path: path)
        try await writer.write {
            try $0.execute(
                sql: """
                    DROP TRIGGER holdRemoved; DROP TABLE holds; DROP INDEX sealedUnheld;
                    ALTER TABLE sealed DROP COLUMN unheldSince;
                    DELETE FROM grdb_migrations WHERE identifier = 'holds';
                    """)
        }
        try writer.close()
        let second = try SQLiteStore(path: path)
        try await Self.checkEarlierItems(second)
        try second.close()
    }

    @Test func `a server's tables of before orders held items keep what they have`() async throws {
        let server = try PostgresServer.shared()
        let url = try server.url()
        let schema = try #require(url.split(separator: "%3D").last.map(String.init))
        let first = try await PostgresStore(patiently: url)
        _ = try await Instance(first).authorize("before", order: "before")
        first.close()
        try server.query(
            """
            DROP TABLE holds; ALTER TABLE sealed DROP COLUMN unheld_since;
            ALTER TABLE orders DROP COLUMN created, DROP COLUMN status, DROP COLUMN amount, DROP COLUMN wallet,
            DROP COLUMN last_four;
            DELETE FROM migrations WHERE name IN ('holds', 'listed orders')
            """, schema: schema)
        try await Self.checkEarlierItems(try await PostgresStore(patiently: url))
    }
}

/// An acquirer during whose answer something else is done.
private struct TakingAcquirer: Acquirer {
    let simulator: SimulatedAcquirer
    let take: @Sendable () async -> Void
    let concluded: @Sendable (Bool) -> Void

    func answer(_ command: AcquirerCommand) async -> AcquirerReply {
        await take()
        return simulator.answer(command)
    }

    func conclude(_ command: AcquirerCommand, isCommitted: Bool) { concluded(isCommitted) }
}
