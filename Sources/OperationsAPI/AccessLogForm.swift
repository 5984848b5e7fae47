/// How a line of the access log is written.
public enum AccessLogForm: Equatable, Sendable {
    /// A JSON object, with everything that the log has.
    case json
    /// A short line for people, with colours (ECMA-48) if wanted.
    case text(isColoured: Bool)
}
