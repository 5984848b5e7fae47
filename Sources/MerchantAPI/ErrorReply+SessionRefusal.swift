internal import Payments

extension ErrorReply {
    /// The only place where a refusal of a session or token becomes a reply. No `default`, for the reason of
    /// ``init(_:of:)``.
    init(_ refusal: SessionRefusal) {
        switch refusal {
        case .sessionNotFound:
            self.init("Form Session not found or expired.")
        case .sessionVersionDiffers:
            self = .invalidSecret("session.version", "The session has another version")
        case .sessionNotUpdated:
            self = .invalidSecret("session.id", "Its updateStatus is NO_UPDATE, and must be SUCCESS")
        case .sessionTooLarge:
            self.init("The session cannot hold that much")
        case .tooManySessions:
            self = .busy("There are too many sessions. Send the identical request later.")
        case .busy:
            self = .busy("Session or token locked - another request for it is in progress")
        case .tokenNotFound:
            self.init("Token not found")
        case .storeUnavailable(let failure):
            self.init(failure)
        }
    }
}
