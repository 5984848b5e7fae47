public import HTTPTypes

/// The header fields of a request that authenticate the client, such as passwords and API keys. Their values are wiped
/// with the last copy of the request, unlike those of `HTTPFields`.
public struct CredentialFields: Sendable, Equatable {
    private struct Field: Equatable {
        /// The field name in lower case.
        let name: String
        let value: WipedBuffer
    }

    private var fields: [Field] = []

    /// Creates an empty list of fields.
    public init() {}

    /// The values of a field: one for each field line.
    public subscript(name: HTTPField.Name) -> [WipedBuffer] {
        fields.filter { $0.name == name.canonicalName }.map(\.value)
    }

    /// Adds a field with any name to an outgoing request: only the server knows which fields authenticate a client.
    public mutating func append(_ name: HTTPField.Name, _ value: WipedBuffer) {
        fields.append(Field(name: name.canonicalName, value: value))
    }

    /// Adds a received field if its name is one of the known credential fields.
    ///
    /// - Returns: whether the field was added.
    package mutating func append(_ name: Span<UInt8>, _ value: Span<UInt8>) -> Bool {
        guard let name = Self.name(name) else { return false }
        fields.append(Field(name: "\(name)", value: WipedBuffer(value)))
        return true
    }

    /// Calls the body with each field's name in lower case and its value.
    package func forEach<Failure: Error>(
        _ body: (String, WipedBuffer) throws(Failure) -> Void
    ) throws(Failure) {
        for field in fields { try body(field.name, field.value) }
    }

    /// The canonical name of a known credential field: those of RFC 9110 §11.6.2 and §11.7.2, and the usual names of
    /// API keys.
    private static func name(_ name: Span<UInt8>) -> StaticString? {
        let known: [StaticString] = ["authorization", "apikey", "api-key", "x-api-key", "proxy-authorization"]
        return known.first { name.equalsIgnoringCase($0) }
    }
}
