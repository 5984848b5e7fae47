internal import Synchronization

/// A fault of a gateway's store.
public enum StoreFault: Sendable {
    /// The store can't be read.
    case unreadable
    /// The store can't be written.
    case unwritable
    /// The store's content is corrupt.
    case corrupt
}

/// Whether a gateway should receive requests.
public final class Readiness: Sendable {
    /// The reason why the gateway is not ready, as text.
    enum Refusal: String {
        case draining = "the gateway was told to stop, and finishes the requests in flight"
        case unreadable = "the store can't be read"
        case unwritable = "the store can't be written"
        case corrupt = "the store is corrupt"

        fileprivate init(_ fault: StoreFault) {
            switch fault {
            case .unreadable: self = .unreadable
            case .unwritable: self = .unwritable
            case .corrupt: self = .corrupt
            }
        }
    }

    private let isDraining = Atomic(false)
    private let checkStore: @Sendable () async -> StoreFault?

    /// Creates a readiness that depends on the store.
    ///
    /// - Parameter checkStore: returns the store's fault; nil if it works.
    public init(checkStore: @escaping @Sendable () async -> StoreFault?) { self.checkStore = checkStore }

    /// Makes the gateway not ready from now on, as it is stopping.
    public func drain() { isDraining.store(true, ordering: .relaxed) }

    /// The reason why the gateway should receive no requests; nil if it should.
    func refusal() async -> Refusal? {
        if isDraining.load(ordering: .relaxed) { return .draining }
        if let fault = await checkStore() { return Refusal(fault) }
        // The gateway may have begun to stop during the check of the store.
        return isDraining.load(ordering: .relaxed) ? .draining : nil
    }
}
