internal import Foundation
internal import GRDB
internal import Vault

/// A row's columns by position. GRDB's own subscripts trap on a value of an unexpected storage class, which a damaged
/// or edited file may contain.
extension Row {
    /// A copy of a NOT NULL blob.
    func bytes(_ column: Int) throws -> [UInt8] {
        guard let bytes = try bytesIfPresent(column) else { throw StoreFailure.damage(column) }
        return bytes
    }

    /// A copy of a blob; nil for NULL.
    func bytesIfPresent(_ column: Int) throws -> [UInt8]? {
        let value: DatabaseValue = self[column]
        guard !value.isNull else { return nil }
        guard let data = Data.fromDatabaseValue(value) else { throw StoreFailure.damage(column) }
        return [UInt8](data)
    }

    /// A NOT NULL integer.
    func integer(_ column: Int) throws -> Int64 {
        guard let integer = Int64.fromDatabaseValue(self[column]) else { throw StoreFailure.damage(column) }
        return integer
    }

    /// An integer; nil for NULL.
    func integerIfPresent(_ column: Int) throws -> Int64? {
        let value: DatabaseValue = self[column]
        return value.isNull ? nil : try integer(column)
    }

    /// A revision number, which is at least 1.
    func revision(_ column: Int) throws -> Int64 {
        let revision = try integer(column)
        guard revision >= 1 else { throw StoreFailure.damage(column) }
        return revision
    }
}
