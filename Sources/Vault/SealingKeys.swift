internal import Synchronization

/// The keys that seal and open, oldest first; a running gateway can learn others.
final class SealingKeys: Sendable {
    private let keys: Mutex<[SealingKey]>

    init(_ keys: [SealingKey]) { self.keys = Mutex(keys) }

    /// The keys as they are now.
    var all: [SealingKey] { keys.withLock { $0 } }

    /// Puts others in their place.
    func replace(with keys: [SealingKey]) { self.keys.withLock { $0 = keys } }
}
