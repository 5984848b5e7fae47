public import JSON
public import Vault

extension StoredFields {
    /// The fields of a value, which is an object.
    public static func of(_ value: JSONValue) throws -> StoredFields {
        StoredFields(try JSONDocument(value.serialized()).root)
    }
}
