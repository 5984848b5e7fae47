import HTTPTypes
import JSON

/// A request of an operation that is good as it is.
struct RefusalCall: Sendable, CustomStringConvertible {
    /// The operation's name.
    let name: String
    let method: HTTPRequest.Method
    /// The sources of the payment's card; an operation without one is taken for a card's.
    var sources: [FaultyRequest.Source] = [.card]
    /// The path after the merchant's.
    let path: @Sendable (FaultyRequest, RefusalBench) -> String
    /// The content.
    let content: @Sendable (FaultyRequest, RefusalBench) -> JSONValue?
    /// Whether the session's identifier is the password.
    var isPayer = false

    var description: String { name }

    func request(_ source: FaultyRequest.Source) -> FaultyRequest {
        var request = FaultyRequest(source: source, method: method)
        if isPayer { request.hasCertificate = false }
        return request
    }
}
