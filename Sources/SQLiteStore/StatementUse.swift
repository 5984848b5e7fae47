internal import GRDB
internal import GRDBSQLite
internal import Vault

/// One execution of a prepared statement: binds the parameters in order, then steps.
///
/// GRDB prepares and caches the statement. Its generic arguments and rows are boxed, which costs more than a small
/// statement itself. This type only supports the value types of the tables.
struct StatementUse: ~Copyable {
    private let database: Database
    private let statement: Statement
    private var parameter: Int32 = 0

    /// Takes a statement from the connection's cache, or prepares it.
    init(_ sql: String, in database: Database) throws {
        self.database = database
        statement = try database.cachedStatement(sql: sql)
    }

    deinit {
        // These return the error of the last step, which was already thrown.
        _ = sqlite3_reset(statement.sqliteStatement)
        _ = sqlite3_clear_bindings(statement.sqliteStatement)
    }

    /// Runs a statement without parameters and rows.
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

    /// Binds the next parameter to an integer, or to NULL.
    mutating func bind(_ integer: Int64?) throws {
        try bindNext { handle, parameter in
            integer.map { sqlite3_bind_int64(handle, parameter, $0) } ?? sqlite3_bind_null(handle, parameter)
        }
    }

    /// Steps to the next row. Returns false once the statement is done.
    func step() throws -> Bool {
        switch sqlite3_step(statement.sqliteStatement) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw failure(code)
        }
    }

    /// A NOT NULL integer.
    func integer(_ column: Int32) throws -> Int64 {
        guard sqlite3_column_type(statement.sqliteStatement, column) == SQLITE_INTEGER else {
            throw StoreFailure.damage(column)
        }
        return sqlite3_column_int64(statement.sqliteStatement, column)
    }

    /// An integer; nil for NULL.
    func integerIfPresent(_ column: Int32) throws -> Int64? {
        sqlite3_column_type(statement.sqliteStatement, column) == SQLITE_NULL ? nil : try integer(column)
    }

    /// A text; nil for NULL.
    func textIfPresent(_ column: Int32) throws -> String? {
        switch sqlite3_column_type(statement.sqliteStatement, column) {
        case SQLITE_NULL: return nil
        case SQLITE_TEXT:
            guard let start = sqlite3_column_text(statement.sqliteStatement, column) else { return nil }
            return String(cString: start)
        default: throw StoreFailure.damage(column)
        }
    }

    /// A copy of a blob; nil for NULL.
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

    /// A copy of a NOT NULL blob.
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
    /// A column holds a value of another type than was written.
    static func damage(_ column: some BinaryInteger) -> StoreFailure {
        .damaged(detail: "SQLite: column \(column) has another type than was written")
    }
}
