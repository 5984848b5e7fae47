import Payments
import Synchronization

/// The acquirer in use. A reload may replace it while the gateway runs.
final class CurrentAcquirer: SteerableAcquirer {
    private let current: Mutex<SimulatedAcquirer>

    init(_ acquirer: SimulatedAcquirer) { current = Mutex(acquirer) }

    /// Replaces the acquirer.
    func replace(with acquirer: SimulatedAcquirer) { current.withLock { $0 = acquirer } }

    /// The codes of all outcomes that the acquirer supports.
    var gatewayCodes: Set<GatewayCode> { now.gatewayCodes }

    /// The order amounts that have an outcome of their own, in ascending order.
    var amounts: [(amount: ExactDecimal, gatewayCode: GatewayCode)] { now.amounts }

    /// The same amounts as text. No pair has a space in it that a line may break at.
    var amountsText: String {
        amounts.map { "\($0.amount)\u{A0}\($0.gatewayCode.rawValue)" }.joined(separator: ", ")
    }

    func answer(_ command: AcquirerCommand) async -> AcquirerReply { now.answer(command) }

    func answer(_ command: AcquirerCommand, with gatewayCode: GatewayCode) async -> AcquirerReply {
        now.answer(command, with: gatewayCode)
    }

    private var now: SimulatedAcquirer { current.withLock { $0 } }
}
