/// Why a session or token was not given, changed or used. A refused request has changed nothing.
public enum SessionRefusal: Error, Equatable, Sendable {
    /// The merchant has no such session, or it has expired.
    case sessionNotFound
    /// The session has another version than the request names.
    case sessionVersionDiffers
    /// Nothing was ever stored in the session, so no operation can use it.
    case sessionNotUpdated
    /// The session would hold more than it may.
    case sessionTooLarge
    /// The merchant has as many of them as it may have.
    case tooMany(SealingPurpose, countMax: Int)
    /// Others kept changing it.
    case busy
    /// The merchant has no such token.
    case tokenNotFound
    /// The store didn't answer; nothing is known to have been done.
    case storeUnavailable(StoreFailure)
}

extension SessionRefusal {
    /// The refusal of a request whose text the store could not read or write.
    init(_ failure: StoreFailure) {
        switch failure {
        case .full(let purpose, let countMax): self = .tooMany(purpose, countMax: countMax)
        case .unavailable, .damaged, .corrupt: self = .storeUnavailable(failure)
        }
    }
}
