import JSON
import Payments
import TestSupport
import Values
import Vault

/// A commit as a gateway would make it, with the parts that stores judge by chosen.
struct CommitFixture: Sendable {
    var merchant = "TESTMERCHANT"
    var order = "order-1"
    var transaction = "1"
    /// The version of the order that the decision was made on; 0 for none.
    var versionBefore: Int64 = 0
    var status = OrderStatus.failed
    /// A byte that stands for a token.
    var token: UInt8?
    var isCredited = true
    var fingerprint: UInt8 = 1
    /// What the order holds from then on.
    var items: [HeldItem] = []
    /// When the transaction was answered.
    var instant = TestPayment.instant
    var particulars: JSONValue = ["order": ["reference": "a reference"]]

    init() {}
    init(_ change: (inout CommitFixture) -> Void) { change(&self) }

    var key: OrderKey {
        get throws { OrderKey(merchant: try MerchantID(merchant), order: try OrderID(order)) }
    }

    var transactionID: TransactionID {
        get throws { try TransactionID(transaction) }
    }

    var commit: Commit {
        get async throws {
            Commit(
                transaction: try await madeTransaction, fingerprint: Array(repeating: fingerprint, count: 32),
                token: token.map { TokenUse(digests: [Array(repeating: $0, count: 32)], isCredited: isCredited) },
                items: items)
        }
    }

    /// The transaction of a gateway, under this fixture's names and version.
    private var madeTransaction: Transaction {
        get async throws {
            let gateway = try Gateway.test(store: InMemoryStore(), acquirer: TestSimulator.acquirer())
            let made = try await gateway.perform(TestPayment().command, at: TestPayment.instant)
            let order = Order(
                key: try key, amount: made.amount, status: status, totals: made.order.totals,
                creationTime: min(made.order.creationTime, instant), lastUpdatedTime: instant,
                walletProvider: .applePay, authenticationStatus: .notInEffect, version: versionBefore + 1)
            return Transaction(
                id: try transactionID, type: made.type, amount: made.amount,
                approvedMinorUnits: made.approvedMinorUnits, targetTransactionID: nil, result: made.result,
                gatewayCode: made.gatewayCode, recommendation: made.recommendation, acquirer: made.acquirer,
                authorizationResponse: made.authorizationResponse, references: made.references, source: made.source,
                authenticationStatus: made.authenticationStatus, timeOfRecord: made.timeOfRecord, card: made.card,
                particulars: particulars, order: order)
        }
    }
}

extension PaymentStore {
    /// Commits a fixture.
    func commit(_ fixture: CommitFixture) async throws -> CommitOutcome {
        try await commit(fixture.commit)
    }
}
