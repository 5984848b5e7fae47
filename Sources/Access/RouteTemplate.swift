/// A resource of an API: the template of its paths, with the names that the API's description gives its parameters.
///
/// Logs and metrics show the template and never the path, so that no peer can make them grow.
public struct RouteTemplate: Hashable, Sendable {
    /// The template: `/api/rest/version/{version}/information`.
    public let text: String

    /// A resource of these paths.
    public init(_ text: String) { self.text = text }
}
