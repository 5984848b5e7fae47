import Synchronization

/// A client that pays one order after the other, and notes what it was told.
final class ClientOfManyOrders: Sendable {
    private struct Noted {
        var acknowledged: [(path: TransactionPath, body: [UInt8])] = []
        var refusedCount = 0
        var unexpected: [String] = []
        var isStopped = false
    }

    private let port: UInt16
    private let credentials: RunningGateway.Credentials
    private let noted = Mutex(Noted())

    /// A client of a gateway, which may be killed meanwhile.
    init(_ gateway: RunningGateway) {
        port = gateway.port
        credentials = gateway.credentials
    }

    /// Transactions that were answered with 201, and their answers.
    var acknowledged: [(path: TransactionPath, body: [UInt8])] { noted.withLock(\.acknowledged) }
    var acknowledgedCount: Int { noted.withLock(\.acknowledged.count) }
    /// How many requests were answered with 503.
    var refusedCount: Int { noted.withLock(\.refusedCount) }
    /// Whatever else was answered.
    var unexpected: [String] { noted.withLock(\.unexpected) }

    /// Makes it end after the request in flight.
    func stop() { noted.withLock { $0.isStopped = true } }

    /// Pays orders of a name and a number until it is stopped or the gateway is gone. One that is refused is sent again.
    func run(_ name: String) {
        var number = 0
        let body = PaymentRequest.plain("10.00")
        while !noted.withLock(\.isStopped) {
            let path = TransactionPath(order: "\(name)-\(number)")
            guard let reply = try? Exchange.reply("PUT", path.text, body, port: port, fields: credentials.field) else {
                return
            }
            noted.withLock { noted in
                switch reply.status {
                case 201:
                    noted.acknowledged.append((path, reply.body))
                    number += 1
                case 503: noted.refusedCount += 1
                default: noted.unexpected.append(reply.text)
                }
            }
        }
    }
}
