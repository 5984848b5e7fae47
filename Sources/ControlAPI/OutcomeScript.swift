internal import HTTP
internal import JSON
public import Payments
public import Values

/// What is to become of the next operations, instead of what the simulated acquirer would make of them.
///
/// An operation is a request that asks the acquirer, whose order and merchant the script names or leaves open. A repeated
/// request, which gets the stored answer, and a refused one use up nothing.
public struct OutcomeScript: Equatable, Sendable {
    /// What becomes of the reply. Whatever it is, the transaction is durable before.
    public enum Reply: String, CaseIterable, Sendable {
        /// It is sent.
        case sent = "SENT"
        /// It is sent after the latency: the transaction is there before its client knows.
        case late = "LATE"
        /// It is not: the connection is closed without a byte of it, after the latency.
        case cut = "CUT"
    }

    /// The merchant of the operations; nil means every merchant.
    public let merchant: MerchantID?
    /// The order of the operations; nil means every order.
    public let order: OrderID?
    /// The outcome of the operation; nil leaves it to the simulator.
    public let gatewayCode: GatewayCode?
    /// How long the acquirer takes to answer, or with ``Reply/late`` and ``Reply/cut`` how long
    /// the reply is held back after it, in milliseconds.
    public let latencyMilliseconds: Int
    /// What becomes of the reply.
    public let reply: Reply

    /// The longest latency: twice the 60 s after which Mastercard has clients send the identical request again.
    public static let latencyMillisecondsMax = 120_000

    /// A script.
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

    /// Whether the script is for operations of an order.
    func concerns(_ key: OrderKey) -> Bool {
        merchant.map { $0 == key.merchant } ?? true && order.map { $0 == key.order } ?? true
    }

    /// How long the acquirer takes.
    var millisecondsBefore: Int { reply == .sent ? latencyMilliseconds : 0 }
    /// How long the reply waits after the operation.
    var millisecondsAfter: Int { reply == .sent ? 0 : latencyMilliseconds }
}

extension OutcomeScript {
    /// Reads a script with how many operations it is for.
    ///
    /// - Parameter known: the codes that the simulator can answer.
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

    /// The script as it is shown, with how many operations it is still for.
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
    /// An identifier, if it is there.
    fileprivate func identifier<Identifier>(
        _ name: String, _ read: (String) throws(MalformedIdentifier) -> Identifier
    ) throws(ControlFault) -> Identifier? {
        guard let text = try string(name) else { return nil }
        do { return try read(text) } catch { throw fault(name, "Not an identifier of 1 to 40 characters") }
    }
}
