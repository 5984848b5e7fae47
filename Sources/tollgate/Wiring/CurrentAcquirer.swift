import Payments
import Synchronization

/// The acquirer in use. A reload may replace it while the gateway runs.
final class CurrentAcquirer: SteerableAcquirer {
    private let current: Mutex<any SteerableAcquirer>

    init(_ acquirer: any SteerableAcquirer) { current = Mutex(acquirer) }

    /// Replaces the acquirer.
    func replace(with acquirer: any SteerableAcquirer) { current.withLock { $0 = acquirer } }

    /// The codes of all outcomes that the acquirer supports.
    var gatewayCodes: Set<GatewayCode> { now.gatewayCodes }

    func answer(_ command: AcquirerCommand) async -> AcquirerReply { await now.answer(command) }

    func answer(_ command: AcquirerCommand, with gatewayCode: GatewayCode) async -> AcquirerReply {
        await now.answer(command, with: gatewayCode)
    }

    private var now: any SteerableAcquirer { current.withLock { $0 } }
}
