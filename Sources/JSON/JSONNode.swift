/// A value in a document: a view that keeps the document alive.
public struct JSONNode: Sendable {
    /// The six kinds of values (RFC 8259 §3); `true` and `false` are one.
    public enum Kind: UInt8, Sendable, CaseIterable {
        /// The literal `null`.
        case null
        /// The literal `true` or `false`.
        case bool
        /// A number, kept as its text.
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

    /// Lends the text of the value, without the quotation marks of a string.
    func withContent<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        try document.withRawBytes { text throws(E) in try body(document.tape.content(index, of: text)) }
    }

    /// What the value is.
    public var kind: Kind { entry.kind }

    /// Whether the value is `null`.
    public var isNull: Bool { kind == .null }

    /// The value of `true` or `false`; nil of any other kind.
    public var bool: Bool? {
        guard kind == .bool else { return nil }
        return withContent { $0.first == UInt8(ascii: "t") }
    }

    /// A number as it was written, such as `100.00`; nil of any other kind.
    public var numberText: String? {
        guard kind == .number else { return nil }
        return withContent { String(decoding: $0, as: UTF8.self) }
    }

    /// A string, unescaped; nil of any other kind. The copy is never wiped: for card data use ``withStringBytes(_:)``.
    public var string: String? {
        guard kind == .string else { return nil }
        return unescaped
    }

    /// What a string or a name stands for; of any other kind its text.
    var unescaped: String {
        withContent { content in
            guard entry.isEscaped else { return String(decoding: content, as: UTF8.self) }
            return WipedBytes(unescaping: content).withBytes { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// Lends the unescaped UTF-8 bytes of a string without making a `String`.
    ///
    /// The bytes are the document's own if nothing in the string is escaped, else a copy that is wiped before the call
    /// returns. Either way they are valid only during the call.
    ///
    /// - Returns: what `body` returns; nil, without a call, if the value is not a string.
    @inlinable
    public func withStringBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R? {
        // Only this much is generic, so that a caller's compiler can specialize it: types made at run time would cost more
        // than reading the string.
        var result: Result<R, E>?
        lendStringBytes { bytes in
            do throws(E) { result = .success(try body(bytes)) } catch { result = .failure(error) }
        }
        return try result?.get()
    }

    /// Lends the unescaped bytes of a string; makes no call if the value is not one.
    @usableFromInline
    func lendStringBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
        let entry = entry
        guard entry.kind == .string else { return }
        withContent { content in
            guard entry.isEscaped else { return body(content) }
            WipedBytes(unescaping: content).withBytes(body)
        }
    }

    /// Whether an escape stands in a string, so that its text is not what it stands for.
    public var isEscaped: Bool { entry.isEscaped }

    /// Lends the value's text in the document, including white space between its parts; of a string with its
    /// quotation marks. The bytes are valid only during the call.
    @inlinable
    public func withRawBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        // As in `withStringBytes`.
        var result: Result<R, E>?
        lendRawBytes { bytes in
            do throws(E) { result = .success(try body(bytes)) } catch { result = .failure(error) }
        }
        guard let result else { preconditionFailure("the bytes are lent once") }
        return try result.get()
    }

    /// Lends the value's text in the document.
    @usableFromInline
    func lendRawBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
        let entry = entry
        document.withRawBytes { text in
            body(UnsafeRawBufferPointer(rebasing: text[Int(entry.start)..<Int(entry.end)]))
        }
    }

    /// The dotted path from the document's value to this one, such as `order.items[0].sku`; empty for the document's value.
    ///
    /// Meant for people: names that hold dots or brackets are not marked, controls are written as `\u00XX` and names of
    /// more than 64 characters are cut. Takes time in proportion to the values that precede this one, at worst.
    public var path: String { document.withRawBytes { document.tape.path(to: index, of: $0) } }

    /// How many elements or members an array or object holds; 0 of any other kind.
    public var count: Int { entry.count }
}
