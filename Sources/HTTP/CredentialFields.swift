public import HTTPTypes

/// The header fields of a request that authenticate the client, such as passwords and API keys.
/// They are wiped with the last copy of the request, which the values of `HTTPFields` are not.
public struct CredentialFields: Sendable, Equatable {
    private struct Field: Equatable {
        /// In lower case.
        let name: String
        let value: WipedBuffer
    }

    private var fields: [Field] = []

    /// No fields.
    public init() {}

    /// The values of a field, one for each field line.
    public subscript(name: HTTPField.Name) -> [WipedBuffer] {
        fields.filter { $0.name == name.canonicalName }.map(\.value)
    }

    /// Adds a field to a request that is to be sent, with any name: the server decides which field authenticates a client.
    public mutating func append(_ name: HTTPField.Name, _ value: WipedBuffer) {
        fields.append(Field(name: name.canonicalName, value: value))
    }

    /// Takes a field in if it is one of these.
    ///
    /// - Returns: whether it is.
    package mutating func append(_ name: Span<UInt8>, _ value: Span<UInt8>) -> Bool {
        guard let name = Self.name(name) else { return false }
        fields.append(Field(name: "\(name)", value: WipedBuffer(value)))
        return true
    }

    /// Gives each field's name in lower case, and its value.
    package func forEach<Failure: Error>(
        _ body: (String, WipedBuffer) throws(Failure) -> Void
    ) throws(Failure) {
        for field in fields { try body(field.name, field.value) }
    }

    /// RFC 9110 §11.6.2 and §11.7.2, and what APIs with keys of their own usually call theirs.
    private static func name(_ name: Span<UInt8>) -> StaticString? {
        let known: [StaticString] = ["authorization", "apikey", "api-key", "x-api-key", "proxy-authorization"]
        return known.first { name.equalsIgnoringCase($0) }
    }
}
