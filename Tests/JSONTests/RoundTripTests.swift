import JSON
import Testing
import Values

extension JSONValue {
    /// A value of any kind, nested at most `depth` deep.
    fileprivate static func random(depth: Int, using generator: inout SeededGenerator) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &generator) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &generator))
        case 2: return .number(JSONNumber(Int64.random(in: .min ... .max, using: &generator)))
        case 3:
            let cents = Int.random(in: 0...99, using: &generator)
            return JSONNumber("\(Int.random(in: -999...999, using: &generator)).\(cents)e-\(cents)").map(
                JSONValue.number) ?? .null
        case 4: return .string(randomText(using: &generator))
        case 5:
            return .array(
                (0..<Int.random(in: 0...5, using: &generator)).map { _ in random(depth: depth - 1, using: &generator) })
        default:
            var object = JSONObject()
            for _ in 0..<Int.random(in: 0...20, using: &generator) {
                object[randomText(using: &generator)] = random(depth: depth - 1, using: &generator)
            }
            return .object(object)
        }
    }

    private static func randomText(using generator: inout SeededGenerator) -> String {
        let ranges: [ClosedRange<UInt32>] = [
            0...0x7F, 0x20...0x7E, 0x61...0x66, 0x80...0x7FF, 0x800...0xFFFF, 0x1_0000...0x10_FFFF,
        ]
        let range = ranges[Int.random(in: 0..<ranges.count, using: &generator)]
        let scalars = (0..<Int.random(in: 0...20, using: &generator)).compactMap { _ in
            Unicode.Scalar(UInt32.random(in: range, using: &generator))
        }
        return String(String.UnicodeScalarView(scalars))
    }
}

struct RoundTripTests {
    static let sample = #"""
        {"apiOperation":"AUTHORIZE","order":{"amount":100.00,"currency":"EUR","item":[{"n":-1.5e+3},[],{}]},
        "t":"{\"data\":\"q\/A=\",\"x\":\"\u00e9\ud83d\ude00é€😀\"}","ok":[true,false,null]}
        """#

    @Test(arguments: UInt64(0)..<200)
    func `a value that is written and read is the same value`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let value = JSONValue.random(depth: 4, using: &generator)
        let written = value.serialized()
        let read = try JSONValue(parsing: written)
        #expect(read == value)
        #expect(read.serialized() == written)
    }

    @Test func `every truncation of a document is refused`() throws {
        let bytes = Array(Self.sample.utf8)
        _ = try JSONDocument(bytes)
        for length in 0..<bytes.count {
            let fault = #expect(throws: JSONFault.self) { try JSONDocument(Array(bytes[..<length])) }
            // A cut within a character leaves bytes that are not UTF-8.
            #expect(fault?.reason == .unexpectedEnd || fault?.reason == .invalidUTF8)
            #expect(fault.map { $0.offset <= length } == true)
        }
    }

    @Test func `a document with any one byte changed is read or refused, and what is read can be walked`() {
        let bytes = Array(Self.sample.utf8)
        for index in bytes.indices {
            for byte in UInt8.min ... .max where byte != bytes[index] {
                var changed = bytes
                changed[index] = byte
                check(changed)
            }
        }
    }

    @Test(arguments: UInt64(0)..<20)
    func `a document with bytes dropped, doubled and moved is read or refused`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            var changed = Array(Self.sample.utf8)
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let start = Int.random(in: 0..<changed.count, using: &generator)
                let end = Int.random(in: start..<min(start + 30, changed.count), using: &generator)
                let slice = Array(changed[start...end])
                if Bool.random(using: &generator) { changed.removeSubrange(start...end) }
                changed.insert(contentsOf: slice, at: Int.random(in: 0...changed.count, using: &generator))
            }
            check(changed)
        }
    }

    /// Walks what is read, and holds the parser to its own writing of it.
    private func check(_ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) {
        do {
            let root = try JSONDocument(bytes).root
            let value = root.value
            #expect(String(validating: bytes, as: UTF8.self) != nil, sourceLocation: sourceLocation)
            #expect(try JSONValue(parsing: value.serialized()) == value, sourceLocation: sourceLocation)
        } catch {
            #expect((0...bytes.count).contains(error.offset), sourceLocation: sourceLocation)
            #expect(error.line >= 1 && error.column >= 1, sourceLocation: sourceLocation)
        }
    }
}
