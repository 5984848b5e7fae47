import Glibc

extension Span<UInt8> {
    /// Octets that were checked to be ASCII, as a string; other octets become U+FFFD.
    package var text: String { withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) } }

    /// The first position of `byte` in `range`.
    package func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
        guard !range.isEmpty else { return nil }
        return extracting(range).withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress, let found = memchr(base, Int32(byte), buffer.count) else { return nil }
            return range.lowerBound + UnsafeRawPointer(base).distance(to: UnsafeRawPointer(found))
        }
    }

    /// Whether every octet satisfies a predicate.
    package func allSatisfy(_ predicate: (UInt8) -> Bool) -> Bool {
        for index in indices where !predicate(self[index]) { return false }
        return true
    }

    /// Whether these octets equal the given string's.
    package func equals(_ octets: StaticString) -> Bool {
        guard count == octets.utf8CodeUnitCount else { return false }
        return withUnsafeBufferPointer { $0.baseAddress.map { memcmp($0, octets.utf8Start, count) == 0 } ?? true }
    }

    /// Whether these octets equal the given string's, ignoring ASCII case.
    ///
    /// - Parameter lowercase: the string in lower case.
    package func equalsIgnoringCase(_ lowercase: StaticString) -> Bool {
        guard count == lowercase.utf8CodeUnitCount else { return false }
        for index in indices where Octet.lowercased(self[index]) != lowercase.utf8Start[index] { return false }
        return true
    }

    /// The range without spaces and tabs at both ends (RFC 9110 §5.6.3, OWS).
    package func trimmed(_ range: Range<Int>) -> Range<Int> {
        var start = range.lowerBound
        var end = range.upperBound
        while start < end, self[start] == 0x20 || self[start] == 0x09 { start += 1 }
        while end > start, self[end - 1] == 0x20 || self[end - 1] == 0x09 { end -= 1 }
        return start..<end
    }
}
