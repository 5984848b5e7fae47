/// Why a store operation failed. The detail gives the cause for an operator, never the data.
public enum StoreFailure: Error, Equatable, Sendable {
    /// The store can't be reached, read or written: a full disk, a lock, an input or output error.
    case unavailable(detail: String)
    /// The data read is not the data that was written. The rest of the store may be intact.
    case damaged(detail: String)
    /// The structure of the store itself is damaged, to an unknown extent.
    case corrupt(detail: String)
    /// The merchant has the maximum number of items of this kind; nothing was written. The store works.
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

    /// The failure and its cause, as human-readable text.
    public var description: String {
        switch self {
        case .unavailable: "the store can't be used: \(detail)"
        case .damaged: "what the store holds is damaged: \(detail)"
        case .corrupt: "the store is corrupt: \(detail)"
        case .full: "a limit of the merchant's is reached: \(detail)"
        }
    }
}
