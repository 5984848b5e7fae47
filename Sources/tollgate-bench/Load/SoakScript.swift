import ApplePaySandbox
import Values

/// Generates requests of all kinds for one gateway, each with its expected answer. It tracks the state of orders whose
/// requests were answered, and forgets orders with an unanswered request.
struct SoakScript {
    /// The action for the answer to a request.
    enum Step {
        case plain
        case authorize(order: Int, request: RequestBatch.Entry)
        case capture(order: Int)
        /// The answer must have the same bytes as the first answer.
        case repeated(Order)
        case retrieve(Order)
    }

    /// An order with an authorization.
    struct Order {
        let number: Int
        /// The request that authorized it.
        let request: RequestBatch.Entry
        /// The answer to that request.
        let answer: [UInt8]
        var isCaptured = false
    }

    private static let ordersMax = 500
    private let installation: BenchInstallation
    private let mint: TokenMint
    private let recipient: TokenMint.Recipient
    private var orders: [Order] = []
    private var captured: [Int: Order] = [:]
    private var lastOrder = 0

    init(_ installation: BenchInstallation) throws {
        self.installation = installation
        mint = TokenMint(try installation.authority())
        recipient = try installation.recipient()
    }

    /// The next request.
    mutating func next(_ chance: inout SeededGenerator) throws -> (RequestBatch.Entry, Step) {
        let kind = Int.random(in: 0..<100, using: &chance)
        if kind < 20 || orders.isEmpty && kind < 52 { return try authorize() }
        switch kind {
        case ..<25:
            let order = chance.take(from: &orders)
            keep(order)
            return (order.request, .repeated(order))
        case ..<37:
            var order = chance.take(from: &orders)
            guard !order.isCaptured else { return retrieve(order) }
            order.isCaptured = true
            captured[order.number] = order
            return (.capture(order: order.number, installation), .capture(order: order.number))
        case ..<52: return retrieve(chance.take(from: &orders))
        case ..<60: return (request("POST", "/session", "", status: 201, expecting: #""session":"#), .plain)
        case ..<75: return (refused(&chance), .plain)
        default: return (.information, .plain)
        }
    }

    /// Records an answer whose status and content were checked.
    mutating func note(_ step: Step, _ answer: LoadAnswer) throws {
        switch step {
        case .plain: break
        case .authorize(let number, let request):
            guard answer.content.contains(Self.identifier(number)) else {
                throw BenchFailure("order \(number) is answered with another")
            }
            keep(Order(number: number, request: request, answer: Array(answer.content)))
        case .capture(let number):
            guard answer.content.contains(Self.identifier(number)) else {
                throw BenchFailure("order \(number) is answered with another")
            }
            if let order = captured.removeValue(forKey: number) { keep(order) }
        case .repeated(let order):
            guard answer.content.elementsEqual(order.answer) else {
                throw BenchFailure(
                    """
                    a repeated AUTHORIZE of order \(order.number) is answered otherwise: \
                    \(String(decoding: answer.content, as: UTF8.self))
                    """)
            }
        case .retrieve(let order):
            let status = order.isCaptured ? #""status":"CAPTURED""# : #""status":"AUTHORIZED""#
            guard answer.content.contains(Self.identifier(order.number)), answer.content.contains(status) else {
                throw BenchFailure(
                    """
                    order \(order.number) is not as it was left: \
                    \(String(decoding: answer.content, as: UTF8.self))
                    """)
            }
            keep(order)
        }
    }

    /// Records that a request's outcome will stay unknown.
    mutating func forget(_ step: Step) {
        if case .capture(let number) = step { captured[number] = nil }
    }

    private mutating func keep(_ order: Order) { if orders.count < Self.ordersMax { orders.append(order) } }

    private static func identifier(_ number: Int) -> String { #""id":"bench-\#(number)""# }

    private mutating func authorize() throws -> (RequestBatch.Entry, Step) {
        lastOrder += 1
        let entry = try RequestBatch.Entry.authorize(
            order: lastOrder, mint: mint, recipient: recipient, installation, at: .now)
        return (entry, .authorize(order: lastOrder, request: entry))
    }

    private func retrieve(_ order: Order) -> (RequestBatch.Entry, Step) {
        let entry = request("GET", "/order/bench-\(order.number)", "", status: 200, expecting: #""result":"SUCCESS""#)
        return (entry, .retrieve(order))
    }

    /// Requests that are refused without the connection being closed.
    private func refused(_ chance: inout SeededGenerator) -> RequestBatch.Entry {
        let error = #""result":"ERROR""#
        switch Int.random(in: 0..<6, using: &chance) {
        case 0: return request("PUT", "/order/none/transaction/1", #"{"apiOperation":"#, status: 400, expecting: error)
        case 1: return request("PUT", "/order/none/transaction/1", "{}", status: 400, expecting: error)
        case 2: return request("GET", "/order/never-heard-of", "", status: 400, expecting: error)
        case 3: return request("DELETE", "/order/none", "", status: 405, expecting: error)
        case 4: return request("GET", "/nothing", "", status: 404, expecting: error)
        default:
            return request(
                "GET", "/order/none", "", status: 401, expecting: error,
                authorization: "Basic bWVyY2hhbnQuQkVOQ0hNRVJDSEFOVDp3cm9uZw==")
        }
    }

    private func request(
        _ method: String, _ path: String, _ content: String, status: Int, expecting expected: String,
        authorization: String? = nil
    ) -> RequestBatch.Entry {
        RequestBatch.Entry(
            bytes: installation.request(method, path, Array(content.utf8), authorization: authorization),
            status: status, expected: Array(expected.utf8))
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func contains(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { position(of: UnsafeRawBufferPointer($0)) != nil }
    }
}
