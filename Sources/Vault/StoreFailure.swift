/// Why a store could not answer. The detail names the cause for an operator, never what was to be stored.
public enum StoreFailure: Error, Equatable, Sendable {
    /// The store can't be reached, read or written: a full disk, a lock, an input or output error.
    case unavailable(detail: String)
    /// What was read is not what was written. That says nothing of what else the store holds.
    case damaged(detail: String)
    /// What holds everything together is broken, and nobody knows how much of it.
    case corrupt(detail: String)
    /// The merchant keeps as many items of this kind as it may; nothing was written. The store is well.
    case full(SealingPurpose, countMax: Int)
}

extension StoreFailure: CustomStringConvertible {
    /// The cause.
    public var detail: String {
        switch self {
        case .unavailable(let detail), .damaged(let detail), .corrupt(let detail): detail
        case .full(let purpose, let countMax): "\(countMax) of \(purpose.name) is the most"
        }
    }

    /// What is wrong and the cause, for people.
    public var description: String {
        switch self {
        case .unavailable: "the store can't be used: \(detail)"
        case .damaged: "what the store holds is damaged: \(detail)"
        case .corrupt: "the store is corrupt: \(detail)"
        case .full: "a limit of the merchant's is reached: \(detail)"
        }
    }
}
