internal import GRDB

/// A write that is neither a commit nor an item: a removal or a health check.
struct PreparedChore: PreparedWrite {
    /// Runs the write, and returns how many rows it affected.
    let body: @Sendable (Database) throws -> Int

    init(_ body: @escaping @Sendable (Database) throws -> Int) { self.body = body }

    func apply(to database: Database) throws -> Int { try body(database) }
}
