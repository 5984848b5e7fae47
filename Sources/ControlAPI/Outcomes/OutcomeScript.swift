public import Payments
public import Values

/// A script that overrides the simulated acquirer for the next operations.
///
/// An operation is a request that reaches the acquirer, by whatever API. A script may be restricted to a merchant, an
/// order, an operation, an amount and a card. Repeated requests, which get the stored answer, and refused requests don't
/// count.
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
    /// The operation; nil means every one.
    public let operation: PaymentOperation?
    /// The operation's amount, whatever its currency; nil means every one.
    public let amount: ExactDecimal?
    /// The last four digits of the account number that pays or paid; nil means every one.
    public let lastFour: String?
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
        merchant: MerchantID? = nil, order: OrderID? = nil, operation: PaymentOperation? = nil,
        amount: ExactDecimal? = nil, lastFour: String? = nil, gatewayCode: GatewayCode? = nil,
        latencyMilliseconds: Int = 0, reply: Reply = .sent
    ) {
        precondition((0...Self.latencyMillisecondsMax).contains(latencyMilliseconds), "checked where it was read")
        self.merchant = merchant
        self.order = order
        self.operation = operation
        self.amount = amount
        self.lastFour = lastFour
        self.gatewayCode = gatewayCode
        self.latencyMilliseconds = latencyMilliseconds
        self.reply = reply
    }

    /// Whether the script applies to an operation.
    func concerns(_ command: AcquirerCommand) -> Bool {
        merchant.map { $0 == command.order.merchant } ?? true && order.map { $0 == command.order.order } ?? true
            && operation.map { $0 == command.operation } ?? true
            && amount.map { $0 == ExactDecimal(command.amount) } ?? true
            && lastFour.map { $0 == command.lastFour } ?? true
    }

    /// The delay before the acquirer's answer, in milliseconds.
    var millisecondsBefore: Int { reply == .sent ? latencyMilliseconds : 0 }
    /// The delay of the reply after the operation, in milliseconds.
    var millisecondsAfter: Int { reply == .sent ? 0 : latencyMilliseconds }
}
