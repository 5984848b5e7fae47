/// Why an operation on a session or token was refused. A refused operation changes nothing.
public enum SessionRefusal: Error, Equatable, Sendable {
    /// The merchant has no such session, or it has expired.
    case sessionNotFound
    /// The session's version is not the one that the request names.
    case sessionVersionDiffers
    /// No fields were ever stored in the session, so no operation can use it.
    case sessionNotUpdated
    /// The session would exceed its maximum size.
    case sessionTooLarge
    /// The merchant has the maximum number of sealed records for this purpose.
    case tooMany(SealingPurpose, countMax: Int)
    /// Concurrent changes prevented this one.
    case busy
    /// The merchant has no such token.
    case tokenNotFound
    /// The store could not complete the operation. No effect is known.
    case storeUnavailable(StoreFailure)
}

extension SessionRefusal {
    /// The refusal for a store failure.
    init(_ failure: StoreFailure) {
        switch failure {
        case .full(let purpose, let countMax): self = .tooMany(purpose, countMax: countMax)
        case .unavailable, .damaged, .corrupt: self = .storeUnavailable(failure)
        }
    }
}
