public import HTTPTypes

/// A handler's result for a request.
public enum Answer: Sendable {
    /// The response, available without waiting; needs no task.
    case now(Response)
    /// The response, after some waiting. The operation starts at once on the caller's executor and returns to it after
    /// every suspension.
    case later(@Sendable () async -> Response)
    /// Like ``later(_:)``, but without a response if the operation returns nil: the connection is then closed once the
    /// previous responses on it have been sent.
    case laterOrCut(@Sendable () async -> Response?)

    /// A copy that changes each response.
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

/// Creates the response to a request that never reached a handler, because it was malformed, too large or too slow. The
/// server adds framing and connection fields. The path is the request's with its query, possibly truncated; nil if no
/// part of it has arrived.
public typealias RefusalResponse = @Sendable (HTTPResponse.Status, _ path: String?) -> Response
