public import HTTPTypes

/// What a handler gives for a request.
public enum Answer: Sendable {
    /// The response, known without waiting for anything: costs no task.
    case now(Response)
    /// The response after some waiting. The operation starts at once on the caller's executor and returns to it after
    /// every suspension.
    case later(@Sendable () async -> Response)
    /// Like ``later(_:)``, or with nothing no response at all: the connection is closed without a byte of one, once what
    /// was answered before it on the connection is sent.
    case laterOrCut(@Sendable () async -> Response?)

    /// The same answer with each response changed.
    public func mapResponse(_ change: @escaping @Sendable (Response) -> Response) -> Answer {
        switch self {
        case .now(let response): .now(change(response))
        case .later(let respond): .later { change(await respond()) }
        case .laterOrCut(let respond): .laterOrCut { await respond().map(change) }
        }
    }
}

/// Answers one request. Called on the event loop of the request's connection, so it must not block.
public typealias Handler = @Sendable (Request) -> Answer

/// The response to a request that never reached a handler, because it was malformed, too large or too slow.
/// Framing and connection fields are added by the server. The path is the request's with its query, as far as it has arrived
/// and is short; it is nil if nothing of it has.
public typealias RefusalResponse = @Sendable (HTTPResponse.Status, _ path: String?) -> Response
