/// A resource of an API: the template of its paths, with the parameter names of the API's description.
///
/// Logs and metrics show the template and never the path, so that peers can't increase the number of series.
public struct RouteTemplate: Hashable, Sendable {
    /// The template: `/api/rest/version/{version}/information`.
    public let text: String

    /// Creates a resource with these paths.
    public init(_ text: String) { self.text = text }
}
