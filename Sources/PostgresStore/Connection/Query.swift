/// One message to the server within a pipeline.
enum Query: Sendable {
    /// Prepares a statement on this connection.
    case prepare(Statement)
    /// Runs a prepared statement.
    case run(Statement, [Parameter] = [])
    /// Parses and runs SQL text once, unprepared.
    case text(String, [Parameter] = [])
}
