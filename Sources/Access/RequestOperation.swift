/// What a request asks for, by the name that the API's documentation gives it.
///
/// Each API has a list of its own, which the program registers with the metrics: a further API needs no change there.
public struct RequestOperation: Hashable, Sendable {
    /// The operation's name: `AUTHORIZE`.
    public let name: String
    /// The one resource at which it is asked for.
    public let route: RouteTemplate

    /// An operation of a resource.
    public init(_ name: String, at route: RouteTemplate) {
        self.name = name
        self.route = route
    }

    /// The name tells operations apart, so the template isn't hashed for each request.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
