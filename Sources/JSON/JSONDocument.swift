/// A completely validated JSON text (RFC 8259) with an index of its values.
///
/// The document stores its own copy of the JSON text, and overwrites it with zeros before it is freed, as it may
/// contain card data. Strings are copied and unescaped only on demand.
public final class JSONDocument: Sendable {
    let bytes: WipedBytes
    let tape: Tape

    /// Reads a document from bytes, and stores a copy of them.
    ///
    /// - Parameters:
    ///   - bytes: UTF-8 without a byte order mark. The caller must wipe them.
    ///   - limits: the limits on the document.
    /// - Throws: the first fault in the order of the JSON text. A repeated name is found at the end of its object.
    public convenience init(_ bytes: UnsafeRawBufferPointer, limits: JSONLimits = .default) throws(JSONFault) {
        guard bytes.count <= limits.bytesMax else { throw JSONFault(.tooLarge, at: limits.bytesMax, of: bytes) }
        try self.init(adopting: WipedBytes(copying: bytes), limits: limits)
    }

    /// Reads a document from an array. See ``init(_:limits:)-(UnsafeRawBufferPointer,_)``.
    public convenience init(_ bytes: [UInt8], limits: JSONLimits = .default) throws(JSONFault) {
        guard bytes.count <= limits.bytesMax else {
            throw bytes.withUnsafeBytes { JSONFault(.tooLarge, at: limits.bytesMax, of: $0) }
        }
        let copy = WipedBytes(capacity: bytes.count) { destination in
            bytes.withUnsafeBytes(destination.copyMemory(from:))
            return bytes.count
        }
        try self.init(adopting: copy, limits: limits)
    }

    /// Reads a document from a string. See ``init(_:limits:)-(UnsafeRawBufferPointer,_)``.
    public convenience init(_ text: String, limits: JSONLimits = .default) throws(JSONFault) {
        guard text.utf8.count <= limits.bytesMax else {
            throw text.withUTF8Bytes { JSONFault(.tooLarge, at: limits.bytesMax, of: $0) }
        }
        let copy = WipedBytes(capacity: text.utf8.count) { destination in
            text.withUTF8Bytes(destination.copyMemory(from:))
            return text.utf8.count
        }
        try self.init(adopting: copy, limits: limits)
    }

    private init(adopting bytes: consuming WipedBytes, limits: JSONLimits) throws(JSONFault) {
        tape = try Parser.tape(of: bytes, limits: limits)
        self.bytes = bytes
    }

    /// The document's value.
    public var root: JSONNode { JSONNode(document: self, index: 0) }

    /// Calls the body with the document's JSON text, unchanged. The bytes are valid only during the call.
    public func withRawBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        // A pointer does not keep the document alive. Every access to the JSON text uses this method.
        try withExtendedLifetime(self) { document throws(E) in try document.bytes.withBytes(body) }
    }
}
