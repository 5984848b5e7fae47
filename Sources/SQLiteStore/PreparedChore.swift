internal import GRDB

/// A write that is neither a commit nor an item: what is removed, and what is written to see whether it can be.
struct PreparedChore: PreparedWrite {
    /// Does it, and returns how many rows it was about.
    let body: @Sendable (Database) throws -> Int

    init(_ body: @escaping @Sendable (Database) throws -> Int) { self.body = body }

    func apply(to database: Database) throws -> Int { try body(database) }
}
