/// A JSON text (RFC 8259) that has been checked to its last byte, with an index of its values.
///
/// The document keeps its own copy of the text and overwrites it with zeros when it is freed, as a text may hold card
/// data. Strings are neither copied nor unescaped until someone asks for one.
public final class JSONDocument: Sendable {
    let bytes: WipedBytes
    let tape: Tape

    /// Reads a document from bytes, of which it keeps a copy.
    ///
    /// - Parameters:
    ///   - bytes: UTF-8 without a byte order mark. Wiping them is the caller's affair.
    ///   - limits: what the document may cost.
    /// - Throws: the first fault in the order of the text. That a name is repeated is found where its object ends.
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

    /// The document's text, byte for byte as it was read.
    public func withRawBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        // A pointer does not keep the document alive, and every reader of the text goes through here.
        try withExtendedLifetime(self) { document throws(E) in try document.bytes.withBytes(body) }
    }
}
