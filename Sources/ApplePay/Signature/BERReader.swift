/// Reads the tag-length-value elements of BER (ITU-T X.690 §8) from a range of bytes, in sequence.
///
/// Definite and indefinite lengths are accepted. Tags of more than one byte, lengths of more than four bytes and
/// non-minimal lengths are refused, to limit the number of encodings of one value. Errors are reported as faults of the
/// token's signature.
struct BERReader {
    /// The bytes that positions refer to.
    let bytes: [UInt8]
    /// The position of the next element.
    private(set) var position: Int
    /// The position after the last element.
    let end: Int

    init(_ bytes: [UInt8]) { self.init(bytes, 0..<bytes.count) }

    init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        position = range.lowerBound
        end = range.upperBound
    }

    /// One element.
    struct Element {
        /// The identifier octet: class, constructed bit and number.
        let tag: UInt8
        /// The range of identifier, length and content, and of the end-of-contents octets of an indefinite length.
        let encoded: Range<Int>
        /// The range of the content.
        let content: Range<Int>
        /// Whether the length is indefinite.
        let isIndefinite: Bool
    }

    /// The maximum nesting depth of elements with indefinite length; Apple's signatures reach four.
    static let depthMax = 8

    /// Whether all bytes have been read.
    var isAtEnd: Bool { position == end }

    /// The identifier octet of the next element; nil at the end.
    var nextTag: UInt8? { position < end ? bytes[position] : nil }

    /// Reads the next element, with any identifier octet.
    mutating func next() throws(CMSFault) -> Element {
        do {
            let element = try Self.element(in: bytes, at: position, end: end, depth: 0)
            position = element.encoded.upperBound
            return element
        } catch {
            throw .encoding(error)
        }
    }

    /// Reads the next element. Throws if it has another identifier.
    mutating func next(_ tag: UInt8) throws(CMSFault) -> Element {
        guard let found = nextTag else { throw .encoding(.truncated) }
        guard found == tag else { throw .encoding(.unexpectedTag(expected: tag, found: found)) }
        return try next()
    }

    /// Reads the next element and returns a reader of its content. Throws if it has another identifier.
    mutating func inside(_ tag: UInt8) throws(CMSFault) -> BERReader { BERReader(bytes, try next(tag).content) }

    /// Throws if any bytes are left.
    func finish() throws(CMSFault) { guard isAtEnd else { throw .encoding(.trailingBytes) } }

    private static func element(
        in bytes: [UInt8], at start: Int, end: Int, depth: Int
    ) throws(BERFault) -> Element {
        var position = start
        func take() throws(BERFault) -> UInt8 {
            guard position < end else { throw .truncated }
            defer { position += 1 }
            return bytes[position]
        }
        let tag = try take()
        guard tag & 0x1F != 0x1F else { throw .highTagNumber }
        let first = try take()
        if first == 0x80 {
            guard tag & 0x20 != 0 else { throw .length }
            guard depth < depthMax else { throw .tooDeep }
            let contentStart = position
            // The content consists of elements up to the end-of-contents octets: tag 0, length 0 (X.690 §8.1.5).
            while true {
                guard position + 1 < end else { throw .truncated }
                if bytes[position] == 0, bytes[position + 1] == 0 { break }
                position = try element(in: bytes, at: position, end: end, depth: depth + 1).encoded.upperBound
            }
            return Element(
                tag: tag, encoded: start..<(position + 2), content: contentStart..<position, isIndefinite: true)
        }
        var length = Int(first)
        if first > 0x80 {
            let count = Int(first & 0x7F)
            guard count <= 4 else { throw .length }
            length = 0
            for _ in 0..<count { length = length << 8 | Int(try take()) }
            guard length >= 0x80, length >> (8 * (count - 1)) != 0 else { throw .length }
        }
        guard length <= end - position else { throw .truncated }
        return Element(
            tag: tag, encoded: start..<(position + length), content: position..<(position + length),
            isIndefinite: false)
    }
}

/// The identifier octets in a payment token's signature.
enum BERTag {
    static let integer: UInt8 = 0x02
    static let octetString: UInt8 = 0x04
    static let null: UInt8 = 0x05
    static let objectIdentifier: UInt8 = 0x06
    static let utcTime: UInt8 = 0x17
    static let generalizedTime: UInt8 = 0x18
    static let sequence: UInt8 = 0x30
    static let set: UInt8 = 0x31
    /// `[0]`, constructed.
    static let context0: UInt8 = 0xA0
    /// `[1]`, constructed.
    static let context1: UInt8 = 0xA1
}

/// Why bytes are not the BER elements that a signature requires.
public enum BERFault: Error, Equatable, Sendable {
    /// The bytes end inside an element.
    case truncated
    /// Bytes follow the end of an element where none are allowed.
    case trailingBytes
    /// A tag number above 30.
    case highTagNumber
    /// A non-minimal length, a length of more than four bytes, or an indefinite length where none is allowed.
    case length
    /// Elements of indefinite length are nested too deeply.
    case tooDeep
    /// The structure requires another element; both values are identifier octets.
    case unexpectedTag(expected: UInt8, found: UInt8)
}
