internal import Synchronization

/// What is wrong with the store of a gateway.
public enum StoreFault: Sendable {
    /// It can't be read.
    case unreadable
    /// It can't be written.
    case unwritable
    /// What it holds is broken.
    case corrupt
}

/// Whether a gateway should be given requests.
public final class Readiness: Sendable {
    /// Why not, in words.
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

    /// Ready while the store works.
    ///
    /// - Parameter checkStore: what is wrong with the store, if something is.
    public init(checkStore: @escaping @Sendable () async -> StoreFault?) { self.checkStore = checkStore }

    /// From now on the gateway is not ready, as it finishes.
    public func drain() { isDraining.store(true, ordering: .relaxed) }

    /// Why the gateway should get no requests; nil if it should.
    func refusal() async -> Refusal? {
        if isDraining.load(ordering: .relaxed) { return .draining }
        if let fault = await checkStore() { return Refusal(fault) }
        // It may have been told while the store was asked.
        return isDraining.load(ordering: .relaxed) ? .draining : nil
    }
}
