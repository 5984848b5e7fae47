import Payments
import Synchronization

/// An acquirer that remembers what it was asked.
final class RecordingAcquirer: Acquirer {
    private let acquirer: any Acquirer
    private let asked = Mutex<[AcquirerCommand]>([])

    init(answering acquirer: any Acquirer) { self.acquirer = acquirer }

    var commands: [AcquirerCommand] { asked.withLock { $0 } }

    func answer(_ command: AcquirerCommand) async -> AcquirerReply {
        asked.withLock { $0.append(command) }
        return await acquirer.answer(command)
    }
}
