internal import Synchronization

/// Whether a gateway should be given requests.
public final class Readiness: Sendable {
    /// Why not, in words.
    enum Refusal: String {
        case draining = "the gateway was told to stop, and finishes what is under way"
        case store = "the store doesn't answer"
    }

    private let isDraining = Atomic(false)
    private let checkStore: @Sendable () async -> Bool

    /// Ready while the store answers.
    ///
    /// - Parameter checkStore: whether the store answers.
    public init(checkStore: @escaping @Sendable () async -> Bool) { self.checkStore = checkStore }

    /// From now on the gateway is not ready, as it finishes.
    public func drain() { isDraining.store(true, ordering: .relaxed) }

    /// Why the gateway should be given no requests; nothing if it should.
    func refusal() async -> Refusal? {
        if isDraining.load(ordering: .relaxed) { return .draining }
        guard await checkStore() else { return .store }
        // It may have been told while the store was asked.
        return isDraining.load(ordering: .relaxed) ? .draining : nil
    }
}
