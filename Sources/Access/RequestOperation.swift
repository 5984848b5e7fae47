/// The operation that a request performs, with the name from the API's documentation.
///
/// Each API has its own list of operations, which the program registers with the metrics, so a new API needs no change in
/// the metrics.
public struct RequestOperation: Hashable, Sendable {
    /// The operation's name: `AUTHORIZE`.
    public let name: String
    /// The resource of the operation.
    public let route: RouteTemplate

    /// Creates an operation of a resource.
    public init(_ name: String, at route: RouteTemplate) {
        self.name = name
        self.route = route
    }

    /// Hashes only the name, which is unique, so that the template isn't hashed for each request.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
