internal import GRDB
internal import Payments
internal import Vault

extension OrderIndexEntry {
    /// Writes the entry of an order. Indexes whose column keeps its value are not touched.
    ///
    /// - Parameters:
    ///   - row: the order's row number.
    ///   - isNew: whether the same database transaction has created the order.
    func write(_ row: Int64, merchant: String, isNew: Bool, in database: Database) throws {
        guard !isNew, let present = try Self(row, in: database) else {
            return try insert(row, merchant: merchant, in: database)
        }
        guard present != self else { return }
        guard present.differsOnlyByStatus(from: self) else {
            var update = try StatementUse(
                "UPDATE listed SET status = ?, amount = ?, wallet = ?, lastFour = ? WHERE row = ?", in: database)
            try bind(to: &update)
            try update.bind(row)
            _ = try update.step()
            return
        }
        var update = try StatementUse("UPDATE listed SET status = ? WHERE row = ?", in: database)
        try update.bind(status)
        try update.bind(row)
        _ = try update.step()
    }

    private func insert(_ row: Int64, merchant: String, in database: Database) throws {
        var insert = try StatementUse(
            "INSERT INTO listed (row, merchant, status, amount, wallet, lastFour) VALUES (?, ?, ?, ?, ?, ?)",
            in: database)
        try insert.bind(row)
        try insert.bind(merchant)
        try bind(to: &insert)
        _ = try insert.step()
    }

    private func bind(to statement: inout StatementUse) throws {
        try statement.bind(status)
        try statement.bind(amount)
        if let wallet { try statement.bind(wallet) } else { try statement.bind(nil) }
        if let lastFour { try statement.bind(lastFour) } else { try statement.bind(nil) }
    }

    /// Reads the entry of an order; nil for an order that an earlier version has written.
    private init?(_ row: Int64, in database: Database) throws {
        var select = try StatementUse(
            "SELECT status, amount, wallet, lastFour FROM listed WHERE row = ?", in: database)
        try select.bind(row)
        guard try select.step() else { return nil }
        guard let status = try select.textIfPresent(0) else { throw StoreFailure.damage(0) }
        self.init(
            status: status, amount: try select.integer(1), wallet: try select.textIfPresent(2),
            lastFour: try select.textIfPresent(3))
    }
}
