internal import GRDB
internal import GRDBSQLite
internal import Payments

/// One use of a prepared statement: its parameters are bound in their order, then it is stepped.
///
/// GRDB prepares the statement and keeps it. Its arguments and rows are values of any kind in boxes, which costs more than
/// a small statement itself; these are of the kinds that the tables have.
struct StatementUse: ~Copyable {
    private let database: Database
    private let statement: Statement
    private var parameter: Int32 = 0

    /// Takes the statement of a text from those that the connection keeps.
    init(_ sql: String, in database: Database) throws {
        self.database = database
        statement = try database.cachedStatement(sql: sql)
    }

    deinit {
        // What these tell was told by the step before.
        _ = sqlite3_reset(statement.sqliteStatement)
        _ = sqlite3_clear_bindings(statement.sqliteStatement)
    }

    /// Steps a statement that has neither parameters nor rows.
    static func run(_ sql: String, in database: Database) throws {
        let statement = try StatementUse(sql, in: database)
        _ = try statement.step()
    }

    /// Binds the next parameter to a text.
    mutating func bind(_ text: String) throws {
        var text = text
        try bindNext { handle, parameter in
            text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) {
                    sqlite3_bind_text(handle, parameter, $0.baseAddress, Int32($0.count), Self.copied)
                }
            }
        }
    }

    /// Binds the next parameter to bytes.
    mutating func bind(_ bytes: [UInt8]) throws {
        try bindNext { handle, parameter in
            bytes.withUnsafeBytes {
                sqlite3_bind_blob(handle, parameter, $0.baseAddress, Int32($0.count), Self.copied)
            }
        }
    }

    /// Binds the next parameter to an integer, or to nothing.
    mutating func bind(_ integer: Int64?) throws {
        try bindNext { handle, parameter in
            integer.map { sqlite3_bind_int64(handle, parameter, $0) } ?? sqlite3_bind_null(handle, parameter)
        }
    }

    /// Goes on to the next row; false if there is none, and the statement is done.
    func step() throws -> Bool {
        switch sqlite3_step(statement.sqliteStatement) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw failure(code)
        }
    }

    /// An integer that is never null.
    func integer(_ column: Int32) throws -> Int64 {
        guard sqlite3_column_type(statement.sqliteStatement, column) == SQLITE_INTEGER else {
            throw StoreFailure.damage(column)
        }
        return sqlite3_column_int64(statement.sqliteStatement, column)
    }

    /// An integer, if it isn't null.
    func integerIfPresent(_ column: Int32) throws -> Int64? {
        sqlite3_column_type(statement.sqliteStatement, column) == SQLITE_NULL ? nil : try integer(column)
    }

    /// A copy of a column, if it isn't null.
    func bytesIfPresent(_ column: Int32) throws -> [UInt8]? {
        switch sqlite3_column_type(statement.sqliteStatement, column) {
        case SQLITE_NULL: return nil
        case SQLITE_BLOB:
            let start = sqlite3_column_blob(statement.sqliteStatement, column)
            let count = sqlite3_column_bytes(statement.sqliteStatement, column)
            return [UInt8](UnsafeRawBufferPointer(start: start, count: Int(count)))
        default: throw StoreFailure.damage(column)
        }
    }

    /// A copy of a column that is never null.
    func bytes(_ column: Int32) throws -> [UInt8] {
        guard let bytes = try bytesIfPresent(column) else { throw StoreFailure.damage(column) }
        return bytes
    }

    /// `SQLITE_TRANSIENT`: SQLite makes a copy.
    private static var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

    private mutating func bindNext(_ bind: (OpaquePointer, Int32) -> Int32) throws {
        parameter += 1
        let code = bind(statement.sqliteStatement, parameter)
        guard code == SQLITE_OK else { throw failure(code) }
    }

    private func failure(_ code: Int32) -> DatabaseError {
        DatabaseError(resultCode: ResultCode(rawValue: code), message: database.lastErrorMessage)
    }
}

extension StoreFailure {
    /// A column holds another kind of value than was written.
    static func damage(_ column: some BinaryInteger) -> StoreFailure {
        .damaged(detail: "SQLite: column \(column) has another type than was written")
    }
}
