import Payments
import Synchronization

/// The acquirer that is asked now; another one may take its place while the gateway runs.
final class CurrentAcquirer: Acquirer {
    private let current: Mutex<any Acquirer>

    init(_ acquirer: any Acquirer) { current = Mutex(acquirer) }

    /// Puts another acquirer in the place of this one.
    func replace(with acquirer: any Acquirer) { current.withLock { $0 = acquirer } }

    func answer(_ command: AcquirerCommand) -> AcquirerReply {
        let acquirer = current.withLock { $0 }
        return acquirer.answer(command)
    }
}
