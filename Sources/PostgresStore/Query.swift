/// One message to the server in a pipeline.
enum Query: Sendable {
    /// Has a statement prepared for this connection.
    case prepare(Statement)
    /// Runs a statement that was prepared.
    case run(Statement, [Parameter] = [])
    /// Runs a text once.
    case text(String, [Parameter] = [])
}
