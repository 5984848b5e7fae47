internal import Access
internal import HTTP
internal import JSON

/// An operation on a merchant's sessions, tokens or payment options.
enum MerchantOperation: Equatable {
    case createSession
    case updateSession(String)
    case retrieveSession(String)
    case createToken
    case replaceToken(String)
    case retrieveToken(String)
    case deleteToken(String)
    case inquirePaymentOptions

    private static let emptyObject = WipedBuffer(Array("{}".utf8))

    /// Reads the content of a request. Absent content counts as an empty object; operations without members ignore
    /// it.
    func content(_ content: WipedBuffer, _ trace: RequestTrace) throws(ErrorReply) -> JSONDocument {
        switch self {
        case .retrieveSession, .retrieveToken, .deleteToken: return try ErrorReply.document(Self.emptyObject)
        case .createSession, .inquirePaymentOptions:
            return try ErrorReply.document(content.isEmpty ? Self.emptyObject : content, trace)
        case .updateSession, .createToken, .replaceToken: return try ErrorReply.document(content, trace)
        }
    }
}
