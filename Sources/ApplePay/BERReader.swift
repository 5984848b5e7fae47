/// Reads the tag-length-value elements of BER (ITU-T X.690 §8) from a range of bytes, one after the other.
///
/// Definite and indefinite lengths are read; tags of more than one byte, lengths of more than four bytes and lengths
/// longer than they need be are refused, so that hostile bytes have few ways to say one thing. What is refused is told
/// as the fault of the signature that the bytes are meant to be.
struct BERReader {
    /// The bytes that all positions count from.
    let bytes: [UInt8]
    /// Where the next element begins.
    private(set) var position: Int
    /// Where the last element must end.
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
        /// Identifier, length and content, and the end-of-contents octets of an indefinite length.
        let encoded: Range<Int>
        /// The content alone.
        let content: Range<Int>
        /// Whether the length was written as indefinite.
        let isIndefinite: Bool
    }

    /// No element of indefinite length lies deeper than this in another; Apple's signatures reach four.
    static let depthMax = 8

    /// Whether all bytes have been read.
    var isAtEnd: Bool { position == end }

    /// The identifier of the next element, or nothing at the end.
    var nextTag: UInt8? { position < end ? bytes[position] : nil }

    /// Reads the next element, whatever it is.
    mutating func next() throws(CMSFault) -> Element {
        do {
            let element = try Self.element(in: bytes, at: position, end: end, depth: 0)
            position = element.encoded.upperBound
            return element
        } catch {
            throw .encoding(error)
        }
    }

    /// Reads the next element, which must have this identifier.
    mutating func next(_ tag: UInt8) throws(CMSFault) -> Element {
        guard let found = nextTag else { throw .encoding(.truncated) }
        guard found == tag else { throw .encoding(.unexpectedTag(expected: tag, found: found)) }
        return try next()
    }

    /// Reads the next element, which must have this identifier, and gives a reader of its content.
    mutating func inside(_ tag: UInt8) throws(CMSFault) -> BERReader { BERReader(bytes, try next(tag).content) }

    /// Ends the reading; bytes that are left are a fault.
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
            // The content is elements up to one of tag 0 and length 0 (X.690 §8.1.5).
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

/// The identifier octets that a payment token's signature has.
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

/// Why bytes are not the elements of BER that a signature's structure asks for.
public enum BERFault: Error, Equatable, Sendable {
    /// The bytes end inside an element.
    case truncated
    /// An element ends, and bytes follow where none may.
    case trailingBytes
    /// A tag number above 30.
    case highTagNumber
    /// A length that is longer than it need be, has more than four bytes, or is indefinite where it may not be.
    case length
    /// Elements of indefinite length lie in one another deeper than any signature needs.
    case tooDeep
    /// Another element stands here than the structure asks for; both are identifier octets.
    case unexpectedTag(expected: UInt8, found: UInt8)
}
