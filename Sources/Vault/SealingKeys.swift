internal import Synchronization

/// The keys that seal and open, oldest first. They can be replaced while the gateway runs.
final class SealingKeys: Sendable {
    private let keys: Mutex<[SealingKey]>

    init(_ keys: [SealingKey]) { self.keys = Mutex(keys) }

    /// The current keys.
    var all: [SealingKey] { keys.withLock { $0 } }

    /// Replaces all keys.
    func replace(with keys: [SealingKey]) { self.keys.withLock { $0 = keys } }
}
