/// A value in a document. It retains the document and copies nothing.
public struct JSONNode: Sendable {
    /// The six kinds of values (RFC 8259 §3); `true` and `false` are of one kind.
    public enum Kind: UInt8, Sendable, CaseIterable {
        /// The literal `null`.
        case null
        /// The literal `true` or `false`.
        case bool
        /// A number, represented by its JSON text.
        case number
        /// A string.
        case string
        /// An array.
        case array
        /// An object.
        case object
    }

    let document: JSONDocument
    let index: Int

    var entry: TapeEntry { document.tape[index] }

    /// Calls the body with the value's JSON text, without the quotation marks of a string. The bytes are valid only
    /// during the call.
    func withContent<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        try document.withRawBytes { text throws(E) in try body(document.tape.content(index, of: text)) }
    }

    /// The kind of the value.
    public var kind: Kind { entry.kind }

    /// Whether the value is `null`.
    public var isNull: Bool { kind == .null }

    /// The value of `true` or `false`; nil for other kinds.
    public var bool: Bool? {
        guard kind == .bool else { return nil }
        return withContent { $0.first == UInt8(ascii: "t") }
    }

    /// A number's JSON text, such as `100.00`; nil for other kinds.
    public var numberText: String? {
        guard kind == .number else { return nil }
        return withContent { String(decoding: $0, as: UTF8.self) }
    }

    /// A string, unescaped; nil for other kinds. The copy is never wiped: for card data use ``withStringBytes(_:)``.
    public var string: String? {
        guard kind == .string else { return nil }
        return unescaped
    }

    /// A string or name, unescaped; for other kinds the JSON text.
    var unescaped: String {
        withContent { content in
            guard entry.isEscaped else { return String(decoding: content, as: UTF8.self) }
            return WipedBytes(unescaping: content).withBytes { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// Calls the body with the unescaped UTF-8 bytes of a string, without creating a `String`.
    ///
    /// The bytes are the document's own if the string contains no escapes; otherwise they are a copy, which is wiped
    /// before this returns. In both cases they are valid only during the call.
    ///
    /// - Returns: the result of `body`; nil, without calling it, if the value is not a string.
    @inlinable
    public func withStringBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R? {
        // Only this part is generic, so that a caller's compiler can specialize it: creating types at run time would
        // cost more than reading the string.
        var result: Result<R, E>?
        lendStringBytes { bytes in
            do throws(E) { result = .success(try body(bytes)) } catch { result = .failure(error) }
        }
        return try result?.get()
    }

    /// Calls the body with the unescaped bytes of a string; does nothing if the value is not a string.
    @usableFromInline
    func lendStringBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
        let entry = entry
        guard entry.kind == .string else { return }
        withContent { content in
            guard entry.isEscaped else { return body(content) }
            WipedBytes(unescaping: content).withBytes(body)
        }
    }

    /// Whether a string contains escapes.
    public var isEscaped: Bool { entry.isEscaped }

    /// Calls the body with the value's JSON text, including white space between its parts and a string's quotation
    /// marks. The bytes are valid only during the call.
    @inlinable
    public func withRawBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        // Only this part is generic, as in `withStringBytes`.
        var result: Result<R, E>?
        lendRawBytes { bytes in
            do throws(E) { result = .success(try body(bytes)) } catch { result = .failure(error) }
        }
        guard let result else { preconditionFailure("the bytes are lent once") }
        return try result.get()
    }

    /// Calls the body with the value's JSON text.
    @usableFromInline
    func lendRawBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
        let entry = entry
        document.withRawBytes { text in
            body(UnsafeRawBufferPointer(rebasing: text[Int(entry.start)..<Int(entry.end)]))
        }
    }

    /// The dotted path from the root to this value, such as `order.items[0].sku`; empty for the root.
    ///
    /// For display only: dots and brackets in names are not escaped, control characters are written as `\u00XX`, and
    /// names of more than 64 characters are truncated. In the worst case, takes time proportional to the number of
    /// preceding values.
    public var path: String { document.withRawBytes { document.tape.path(to: index, of: $0) } }

    /// The number of elements or members of an array or object; 0 for other kinds.
    public var count: Int { entry.count }
}
