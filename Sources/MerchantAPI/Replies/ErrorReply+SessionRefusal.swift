internal import Vault

extension ErrorReply {
    /// The only place where a refusal about a session or token becomes a reply. There is no `default`, for the same
    /// reason as in ``init(_:of:)``.
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
        case .tooMany(.session, let countMax):
            self = .busy(
                "The merchant has \(countMax) sessions in use, which is the most at once. Send the identical request when "
                    + "some of them have expired.")
        case .tooMany(_, let countMax):
            self.init(
                "The merchant has \(countMax) tokens, which is the most. Delete those that are not needed, and send the "
                    + "request again.")
        case .busy:
            self = .busy("Session or token locked - another request for it is in progress")
        case .tokenNotFound:
            self.init("Token not found")
        case .storeUnavailable(let failure):
            self.init(failure)
        }
    }
}
