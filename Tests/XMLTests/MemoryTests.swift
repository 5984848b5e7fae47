import Glibc
import Testing
import XML

/// What is left in memory of what was read.
struct MemoryTests {
    @Test func `nothing of a document is left in memory once it is freed`() throws {
        // The text is made where it can be wiped, and looked for under a mask, so that the search does not find itself.
        var generator = SystemRandomNumberGenerator()
        let masked = (0..<24).map { _ in UInt8.random(in: 0x41...0x5A, using: &generator) ^ 0x80 }
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 15, alignment: 1)
        defer { block.deallocate() }

        func fill(_ before: String, _ behind: String) -> UnsafeRawBufferPointer {
            var count = 0
            func append(_ bytes: some Sequence<UInt8>) {
                for byte in bytes {
                    block[count] = byte
                    count += 1
                }
            }
            append(before.utf8)
            // Often, as the next allocation overwrites some of what was freed.
            for _ in 0..<(before == "<" ? 1 : before.contains("'") ? 100 : 1000) {
                append(masked.lazy.map { $0 ^ 0x80 })
            }
            append(behind.utf8)
            return UnsafeRawBufferPointer(rebasing: block[..<count])
        }

        for (before, behind, isAccepted) in [
            ("<a><b>", "</b></a>", true), ("<a b='&amp;", "'/>", true), ("<a><![CDATA[", "]]></a>", true),
            ("<a>&#65;", "&#65;</a>", true), ("<a><b>", "</c></a>", false), ("<a>", "</a>x", false), ("<", "/>", true),
        ] {
            let text = fill(before, behind)
            var document = try? XMLDocument(text)
            #expect((document != nil) == isAccepted)
            if before.contains("<b>"), isAccepted { #expect(try Self.isInMemory(masked, outside: block)) }
            document = nil
            if before != "<" { #expect(try !Self.isInMemory(masked, outside: block), "\(before)") }
        }
    }

    /// Whether bytes stand anywhere in this process's writable memory but in one block.
    private static func isInMemory(_ masked: [UInt8], outside block: UnsafeMutableRawBufferPointer) throws -> Bool {
        let memory = open("/proc/self/mem", O_RDONLY)
        try #require(memory >= 0)
        defer { close(memory) }
        let page = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4096)
        defer {
            if let start = page.baseAddress { explicit_bzero(start, page.count) }
            page.deallocate()
        }
        for region in try writableRegions() {
            var start = region.lowerBound
            while start < region.upperBound {
                let count = pread(memory, page.baseAddress, min(page.count, region.upperBound - start), start)
                guard count > 0 else { break }
                for offset in occurrences(of: masked, in: UnsafeRawBufferPointer(rebasing: page[..<count])) {
                    let isOurs = [page, block].contains { own in
                        let first = Int(bitPattern: own.baseAddress)
                        return (first..<first + own.count).contains(start + offset)
                    }
                    if !isOurs { return true }
                }
                // A text may lie across the border.
                start += count == page.count ? count - masked.count : count
            }
        }
        return false
    }

    private static func occurrences(of masked: [UInt8], in page: UnsafeRawBufferPointer) -> [Int] {
        var found: [Int] = []
        var offset = 0
        while offset + masked.count <= page.count, let base = page.baseAddress,
            let next = memchr(base + offset, Int32(masked[0] ^ 0x80), page.count - masked.count - offset + 1)
        {
            let place = UnsafeRawPointer(next) - base
            if masked.indices.allSatisfy({ page[place + $0] ^ 0x80 == masked[$0] }) { found.append(place) }
            offset = place + 1
        }
        return found
    }

    /// The address ranges that this process may write to.
    private static func writableRegions() throws -> [Range<Int>] {
        let maps = try #require(fopen("/proc/self/maps", "r"))
        defer { fclose(maps) }
        var regions: [Range<Int>] = []
        var line = [CChar](repeating: 0, count: 1024)
        while fgets(&line, CInt(line.count), maps) != nil {
            let words = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
                .split(separator: " ")
            let ends = words[0].split(separator: "-").compactMap { Int($0, radix: 16) }
            // What is larger is no memory of a program's, but the shadow that a sanitizer keeps of all there could be.
            guard ends.count == 2, words[1].hasPrefix("rw"), ends[1] - ends[0] < 1 << 36 else { continue }
            regions.append(ends[0]..<ends[1])
        }
        return regions
    }
}
