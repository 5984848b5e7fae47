internal import HTTP
internal import JSON
public import Payments
public import Values

/// A script that overrides the simulated acquirer for the next operations.
///
/// An operation is a request that reaches the acquirer. A script may be restricted to an order or a merchant. Repeated
/// requests, which get the stored answer, and refused requests don't count.
public struct OutcomeScript: Equatable, Sendable {
    /// The treatment of the reply. In all cases, the transaction is durable before.
    public enum Reply: String, CaseIterable, Sendable {
        /// The reply is sent normally.
        case sent = "SENT"
        /// The reply is sent after the latency, when the transaction already exists.
        case late = "LATE"
        /// The reply is not sent: after the latency, the connection is closed.
        case cut = "CUT"
    }

    /// The merchant of the operations; nil means every merchant.
    public let merchant: MerchantID?
    /// The order of the operations; nil means every order.
    public let order: OrderID?
    /// The outcome of the operation; nil means that the simulator chooses it.
    public let gatewayCode: GatewayCode?
    /// The latency, in milliseconds: how long the acquirer takes to answer, or with ``Reply/late`` and ``Reply/cut`` how
    /// long the reply is delayed after the operation.
    public let latencyMilliseconds: Int
    /// The treatment of the reply.
    public let reply: Reply

    /// The maximum latency: twice the 60 s after which Mastercard tells clients to repeat a request.
    public static let latencyMillisecondsMax = 120_000

    /// Creates a script.
    public init(
        merchant: MerchantID? = nil, order: OrderID? = nil, gatewayCode: GatewayCode? = nil,
        latencyMilliseconds: Int = 0, reply: Reply = .sent
    ) {
        precondition((0...Self.latencyMillisecondsMax).contains(latencyMilliseconds), "checked where it was read")
        self.merchant = merchant
        self.order = order
        self.gatewayCode = gatewayCode
        self.latencyMilliseconds = latencyMilliseconds
        self.reply = reply
    }

    /// Whether the script applies to operations of an order.
    func concerns(_ key: OrderKey) -> Bool {
        merchant.map { $0 == key.merchant } ?? true && order.map { $0 == key.order } ?? true
    }

    /// The delay before the acquirer's answer, in milliseconds.
    var millisecondsBefore: Int { reply == .sent ? latencyMilliseconds : 0 }
    /// The delay of the reply after the operation, in milliseconds.
    var millisecondsAfter: Int { reply == .sent ? 0 : latencyMilliseconds }
}

extension OutcomeScript {
    /// Reads a script and its number of operations.
    ///
    /// - Parameter known: the codes that the simulator can return.
    static func read(
        _ content: WipedBuffer, known: Set<GatewayCode>
    ) throws(ControlFault) -> (script: OutcomeScript, count: Int) {
        let fields = try ControlFields(
            content, ["merchant", "order", "count", "gatewayCode", "latencyMilliseconds", "reply"])
        let code = try fields.word("gatewayCode", GatewayCode.self)
        if let code, !known.contains(code) {
            let names = known.map(\.rawValue).sorted().joined(separator: ", ")
            throw fields.fault("gatewayCode", "simulator.yaml has no such outcome, but \(names)")
        }
        let latency = try fields.integer("latencyMilliseconds", in: 0...latencyMillisecondsMax) ?? 0
        let reply = try fields.word("reply", Reply.self) ?? .sent
        guard code != nil || latency > 0 || reply != .sent else {
            throw ControlFault("Name a gatewayCode, a latencyMilliseconds or a reply: this changes nothing")
        }
        guard reply != .late || latency > 0 else {
            throw fields.fault("latencyMilliseconds", "A late reply has one above 0")
        }
        let script = OutcomeScript(
            merchant: try fields.identifier("merchant") { (text) throws(MalformedIdentifier) in try MerchantID(text) },
            order: try fields.identifier("order") { (text) throws(MalformedIdentifier) in try OrderID(text) },
            gatewayCode: code, latencyMilliseconds: latency, reply: reply)
        return (script, try fields.integer("count", in: 1...OutcomeRegister.operationsMax) ?? 1)
    }

    /// The script as JSON, with its number of remaining operations.
    func json(remaining: Int) -> JSONValue {
        var members: JSONObject = [
            "count": .number(JSONNumber(remaining)), "latencyMilliseconds": .number(JSONNumber(latencyMilliseconds)),
            "reply": .string(reply.rawValue),
        ]
        members["merchant"] = merchant.map { .string($0.text) }
        members["order"] = order.map { .string($0.text) }
        members["gatewayCode"] = gatewayCode.map { .string($0.rawValue) }
        return .object(members)
    }
}

extension ControlFields {
    /// An identifier; nil if absent.
    fileprivate func identifier<Identifier>(
        _ name: String, _ read: (String) throws(MalformedIdentifier) -> Identifier
    ) throws(ControlFault) -> Identifier? {
        guard let text = try string(name) else { return nil }
        do { return try read(text) } catch { throw fault(name, "Not an identifier of 1 to 40 characters") }
    }
}
