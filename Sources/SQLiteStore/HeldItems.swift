internal import GRDB
internal import Payments
internal import Vault

/// The sealed items that a commit's order holds.
struct HeldItems: Sendable {
    private let items: [HeldItem]

    init(_ items: [HeldItem]) { self.items = items }

    /// Why the order can't hold the items; nil if it can. Writes nothing.
    func refusal(in database: Database) throws -> CommitOutcome? {
        var newCounts: [[UInt8]: Int64] = [:]
        for item in items {
            let isThere = try row(of: item.name, in: database) != nil
            guard case .new(_, let group) = item else {
                if !isThere { return .itemMoved }
                continue
            }
            if isThere { return .itemMoved }
            newCounts[group.name, default: 0] += 1
            guard try count(of: group.name, in: database) + (newCounts[group.name] ?? 0) <= group.countMax else {
                return .groupFull(name: group.name)
            }
        }
        return nil
    }

    /// Inserts the new items, and records that the order holds all of them.
    func write(heldBy orderRow: Int64, in database: Database) throws {
        for item in items {
            switch item {
            case .new(let item, let group):
                try insert(item, group, in: database)
                if group.followsOrders { try hold(database.lastInsertedRowID, by: orderRow, in: database) }
            case .kept(let name):
                guard let (row, unheldSince) = try row(of: name, in: database), let unheldSince else { continue }
                if unheldSince != Schema.isHeld {
                    var update = try StatementUse("UPDATE sealed SET unheldSince = ? WHERE row = ?", in: database)
                    try update.bind(Schema.isHeld)
                    try update.bind(row)
                    _ = try update.step()
                }
                try hold(row, by: orderRow, in: database)
            }
        }
    }

    private func row(
        of name: [UInt8], in database: Database
    ) throws -> (row: Int64, unheldSince: Int64?)? {
        var select = try StatementUse("SELECT row, unheldSince FROM sealed WHERE name = ?", in: database)
        try select.bind(name)
        return try select.step() ? (try select.integer(0), try select.integerIfPresent(1)) : nil
    }

    private func count(of group: [UInt8], in database: Database) throws -> Int64 {
        var select = try StatementUse("SELECT items FROM sealedGroups WHERE name = ?", in: database)
        try select.bind(group)
        return try select.step() ? try select.integer(0) : 0
    }

    private func insert(_ item: SealedItem, _ group: SealedGroup, in database: Database) throws {
        var insert = try StatementUse(
            "INSERT INTO sealed (name, revision, text, groupName, unheldSince) VALUES (?, ?, ?, ?, ?)", in: database)
        try insert.bind(item.name)
        try insert.bind(item.revision)
        try insert.bind(item.text)
        try insert.bind(group.name)
        try insert.bind(group.followsOrders ? Schema.isHeld : nil)
        _ = try insert.step()
    }

    private func hold(_ item: Int64, by orderRow: Int64, in database: Database) throws {
        var insert = try StatementUse("INSERT OR IGNORE INTO holds (orderRow, item) VALUES (?, ?)", in: database)
        try insert.bind(orderRow)
        try insert.bind(item)
        _ = try insert.step()
    }
}
