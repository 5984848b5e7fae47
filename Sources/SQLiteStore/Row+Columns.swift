internal import Foundation
internal import GRDB
internal import Payments

/// The columns of a row by position. GRDB's own subscripts end the program at a value of another storage class, which a
/// damaged or edited file may hold.
extension Row {
    /// A copy of a column that is never null.
    func bytes(_ column: Int) throws -> [UInt8] {
        guard let bytes = try bytesIfPresent(column) else { throw StoreFailure.damage(column) }
        return bytes
    }

    /// A copy of a column.
    func bytesIfPresent(_ column: Int) throws -> [UInt8]? {
        let value: DatabaseValue = self[column]
        guard !value.isNull else { return nil }
        guard let data = Data.fromDatabaseValue(value) else { throw StoreFailure.damage(column) }
        return [UInt8](data)
    }

    /// An integer that is never null.
    func integer(_ column: Int) throws -> Int64 {
        guard let integer = Int64.fromDatabaseValue(self[column]) else { throw StoreFailure.damage(column) }
        return integer
    }

    /// An integer.
    func integerIfPresent(_ column: Int) throws -> Int64? {
        let value: DatabaseValue = self[column]
        return value.isNull ? nil : try integer(column)
    }

    /// A count from 1.
    func revision(_ column: Int) throws -> Int64 {
        let revision = try integer(column)
        guard revision >= 1 else { throw StoreFailure.damage(column) }
        return revision
    }
}
