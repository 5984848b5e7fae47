internal import CLibPQ
internal import Vault

/// The result of a query; owns one `PGresult`.
///
/// `@unchecked Sendable`: never changed after `init`, and libpq's accessors only read a result.
final class QueryResult: @unchecked Sendable {
    private let result: OpaquePointer

    init(takingOwnershipOf result: OpaquePointer) { self.result = result }

    deinit { PQclear(result) }

    var rowCount: Int { Int(PQntuples(result)) }

    /// How many rows an INSERT, UPDATE or DELETE wrote.
    var writtenCount: Int { Int(String(cString: PQcmdTuples(result))) ?? 0 }

    /// How many rows a query wrote. Throws if it wrote more than its limit.
    func writtenCount(atMost countMax: Int) throws(StoreFailure) -> Int {
        let count = writtenCount
        guard count <= countMax else {
            throw .damaged(detail: "PostgreSQL: \(count) rows were written of at most \(countMax)")
        }
        return count
    }

    /// The command tag. A COMMIT gets `COMMIT`, or `ROLLBACK` if its transaction had failed.
    var command: String { String(cString: PQcmdStatus(result)) }

    /// Decodes the result. Damaged values are reported like corruption that the server finds (`XX001`).
    func read<Value>(_ body: (QueryResult) throws(StoreFailure) -> Value) throws(ExchangeFailure) -> Value {
        do { return try body(self) } catch {
            throw .refused(ServerError(sqlState: "XX001", message: error.detail), query: 0)
        }
    }

    /// A copy of a `bytea` that is never null.
    func bytes(_ row: Int, _ column: Int) throws(StoreFailure) -> [UInt8] {
        guard let bytes = try bytesIfPresent(row, column) else { throw Self.damage(column) }
        return bytes
    }

    /// A copy of a `bytea`.
    func bytesIfPresent(_ row: Int, _ column: Int) throws(StoreFailure) -> [UInt8]? {
        guard let value = try value(row, column) else { return nil }
        return [UInt8](value)
    }

    /// A `bigint` that is never null.
    func integer(_ row: Int, _ column: Int) throws(StoreFailure) -> Int64 {
        guard let integer = try integerIfPresent(row, column) else { throw Self.damage(column) }
        return integer
    }

    /// A `bigint`.
    func integerIfPresent(_ row: Int, _ column: Int) throws(StoreFailure) -> Int64? {
        guard let value = try value(row, column) else { return nil }
        guard value.count == 8 else { throw Self.damage(column) }
        return Int64(bigEndian: value.loadUnaligned(as: Int64.self))
    }

    /// A `boolean` that is never null.
    func flag(_ row: Int, _ column: Int) throws(StoreFailure) -> Bool {
        guard let value = try value(row, column), value.count == 1 else { throw Self.damage(column) }
        return value[0] != 0
    }

    private func value(_ row: Int, _ column: Int) throws(StoreFailure) -> UnsafeRawBufferPointer? {
        let (row, column) = (Int32(row), Int32(column))
        guard row < PQntuples(result), column < PQnfields(result), PQfformat(result, column) == 1 else {
            throw Self.damage(Int(column))
        }
        guard PQgetisnull(result, row, column) == 0 else { return nil }
        return UnsafeRawBufferPointer(
            start: PQgetvalue(result, row, column), count: Int(PQgetlength(result, row, column)))
    }

    private static func damage(_ column: Int) -> StoreFailure {
        .damaged(detail: "PostgreSQL: column \(column) has another type than was written")
    }
}
