import Testing

@testable import ApplePay

struct BERReaderTests {
    @Test(
        arguments: [
            ([0x05, 0x00], 0x05, []), ([0x02, 0x01, 0x2A], 0x02, [0x2A]), ([0x30, 0x80, 0x00, 0x00], 0x30, []),
            ([0x30, 0x80, 0x05, 0x00, 0x00, 0x00], 0x30, [0x05, 0x00]),
            ([0x30, 0x80, 0x30, 0x80, 0x00, 0x00, 0x00, 0x00], 0x30, [0x30, 0x80, 0x00, 0x00]),
            ([0x04, 0x81, 0x80] + repeatElement(0x5A, count: 128), 0x04, Array(repeating: 0x5A, count: 128)),
            ([0x04, 0x82, 0x01, 0x00] + repeatElement(0x5A, count: 256), 0x04, Array(repeating: 0x5A, count: 256)),
        ] as [([UInt8], UInt8, [UInt8])])
    func `an element is read with a definite or an indefinite length`(
        bytes: [UInt8], tag: UInt8, content: [UInt8]
    ) throws {
        var reader = BERReader(bytes)
        let element = try reader.next()
        #expect(element.tag == tag)
        #expect(reader.copy(element.content) == content)
        #expect(element.encoded == bytes.indices)
        #expect(reader.isAtEnd)
    }

    @Test(
        arguments: [
            ([], .truncated), ([0x30], .truncated), ([0x30, 0x01], .truncated), ([0x30, 0x80], .truncated),
            ([0x30, 0x80, 0x00], .truncated), ([0x30, 0x80, 0x05, 0x00], .truncated),
            ([0x30, 0x80, 0x05, 0x00, 0x00], .truncated), ([0x30, 0x81], .truncated), ([0x30, 0x82, 0x01], .truncated),
            ([0x04, 0x84, 0xFF, 0xFF, 0xFF, 0xFF], .truncated), ([0x1F, 0x01, 0x00], .highTagNumber),
            ([0xBF, 0x81, 0x00], .highTagNumber), ([0x04, 0x80, 0x00, 0x00], .length),
            ([0x04, 0x81, 0x01, 0x00], .length), ([0x04, 0x81, 0x7F], .length), ([0x04, 0x82, 0x00, 0x80], .length),
            ([0x04, 0x85, 0x01, 0x00, 0x00, 0x00, 0x00], .length), ([0x04, 0xFF, 0x00], .length),
        ] as [([UInt8], BERFault)])
    func `what is no element is refused`(bytes: [UInt8], fault: BERFault) {
        #expect(throws: CMSFault.encoding(fault)) {
            var reader = BERReader(bytes)
            _ = try reader.next()
        }
    }

    @Test func `elements of indefinite length lie at most eight deep in one another`() throws {
        func nested(_ depth: Int) -> [UInt8] {
            Array(repeatElement([0x30, 0x80], count: depth).joined())
                + Array(repeatElement([0x00, 0x00], count: depth).joined())
        }
        var lawful = BERReader(nested(8))
        #expect(try lawful.next().encoded.count == 32)
        for depth in [9, 10, 4000] {
            #expect(throws: CMSFault.encoding(.tooDeep)) {
                var reader = BERReader(nested(depth))
                _ = try reader.next()
            }
        }
    }

    @Test func `an element that was expected must be there, and nothing behind the last`() throws {
        var reader = BERReader([0x05, 0x00, 0x02, 0x01, 0x01])
        #expect(reader.nextTag == 0x05)
        #expect(throws: CMSFault.encoding(.unexpectedTag(expected: 0x02, found: 0x05))) { try reader.next(0x02) }
        _ = try reader.next(0x05)
        #expect(throws: CMSFault.encoding(.trailingBytes)) { try reader.finish() }
        _ = try reader.next(0x02)
        try reader.finish()
        #expect(reader.nextTag == nil)
        #expect(throws: CMSFault.encoding(.truncated)) { try reader.next(0x02) }
    }

    @Test func `a reader of an element's content goes no further`() throws {
        var reader = BERReader([0x30, 0x02, 0x05, 0x00, 0x05, 0x00])
        var inner = try reader.inside(0x30)
        _ = try inner.next(0x05)
        #expect(inner.isAtEnd)
        #expect(throws: CMSFault.encoding(.truncated)) { try inner.next() }
        #expect(!reader.isAtEnd)
    }

    @Test func `an element may not be longer than the one around it`() throws {
        var reader = BERReader([0x30, 0x03, 0x04, 0x02, 0x5A, 0x5A])
        var inner = try reader.inside(0x30)
        #expect(throws: CMSFault.encoding(.truncated)) { try inner.next() }
    }
}
