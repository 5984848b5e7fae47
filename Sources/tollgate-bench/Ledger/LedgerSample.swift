import ApplePaySandbox
import Payments
import SQLiteStore
import Values

/// An order as the gateway stores it, authorized with a token and captured. It is the template for the orders of a
/// measurement.
struct LedgerSample: Sendable {
    private let authorization: Transaction
    private let capture: Transaction

    /// Makes a gateway authorize and capture an order, and reads the stored transactions.
    init(program: String) async throws {
        let installation = try BenchInstallation()
        defer { installation.remove() }
        let gateway = try GatewayProcess(program: program, installation)
        let authorize = try RequestBatch.Entry.authorize(
            order: 0, mint: TokenMint(try installation.authority()), recipient: try installation.recipient(),
            installation, at: .now)
        _ = try SingleExchange.response(to: authorize, port: gateway.port)
        _ = try SingleExchange.response(to: .capture(order: 0, installation), port: gateway.port)
        try gateway.stop()

        let store = try SQLiteStore(path: "\(installation.dataPath)/\(BenchInstallation.databaseName)")
        let key = OrderKey(merchant: try Self.merchant, order: try OrderID("bench-0"))
        let kept = try await store.history(of: key)
        try store.close()
        guard let transactions = kept?.transactions, transactions.count == 2 else {
            throw BenchFailure("the gateway has not kept what it has answered")
        }
        authorization = transactions[0]
        capture = transactions[1]
    }

    /// The merchant of the orders.
    static var merchant: MerchantID {
        get throws { try MerchantID(BenchInstallation.merchantName) }
    }

    /// The authorization of an order.
    ///
    /// - Parameter number: the orders' creation times are a millisecond apart, in the order of their numbers.
    func authorization(of key: OrderKey, number: Int = 0) -> Transaction {
        authorization.moved(to: key, laterBy: Int64(number))
    }

    /// The capture of an order.
    func capture(of key: OrderKey) -> Transaction { capture.moved(to: key) }
}

extension Transaction {
    /// The same transaction with the key of another order.
    fileprivate func moved(to key: OrderKey, laterBy milliseconds: Int64 = 0) -> Transaction {
        Transaction(
            id: id, type: type, amount: amount, approvedMinorUnits: approvedMinorUnits,
            targetTransactionID: targetTransactionID, result: result, gatewayCode: gatewayCode,
            recommendation: recommendation, acquirer: acquirer, authorizationResponse: authorizationResponse,
            references: references, source: source, authenticationStatus: authenticationStatus,
            timeOfRecord: timeOfRecord, card: card, particulars: particulars,
            order: Order(
                key: key, amount: order.amount, status: order.status, totals: order.totals,
                creationTime: order.creationTime.advanced(byMilliseconds: milliseconds),
                lastUpdatedTime: order.lastUpdatedTime.advanced(byMilliseconds: milliseconds),
                walletProvider: order.walletProvider, authenticationStatus: order.authenticationStatus,
                version: order.version))
    }
}
