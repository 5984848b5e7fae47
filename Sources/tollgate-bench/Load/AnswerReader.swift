import Glibc

/// A parser for HTTP/1.1 answers: status and content, delimited by its length. It supports only the answers of Tollgate's
/// own server.
struct AnswerReader {
    /// The position of an answer in the received bytes.
    struct Answer {
        let status: Int
        let content: UnsafeRawBufferPointer
        /// The size of head and content, in bytes.
        let byteCount: Int
    }

    private var kept: [UInt8] = []

    /// Appends received bytes, and passes each complete answer to the body, in order.
    mutating func receive(_ bytes: UnsafeRawBufferPointer, _ body: (Answer) throws -> Void) throws {
        if kept.isEmpty {
            let rest = try Self.read(bytes, body)
            kept.append(contentsOf: rest)
        } else {
            kept.append(contentsOf: bytes)
            let left = try kept.withUnsafeBytes { try Self.read($0, body).count }
            kept.removeFirst(kept.count - left)
        }
    }

    private static func read(
        _ bytes: UnsafeRawBufferPointer, _ body: (Answer) throws -> Void
    ) throws -> UnsafeRawBufferPointer {
        var rest = bytes
        while let answer = try next(rest) {
            try body(answer)
            rest = UnsafeRawBufferPointer(rebasing: rest[answer.byteCount...])
        }
        return rest
    }

    private static func next(_ bytes: UnsafeRawBufferPointer) throws -> Answer? {
        guard let end = find("\r\n\r\n", in: bytes) else { return nil }
        let head = UnsafeRawBufferPointer(rebasing: bytes[..<(end + 2)])
        guard find("HTTP/1.1 ", in: head) == 0, let status = number(head, at: 9),
            let lengthAt = find("\r\nContent-Length: ", in: head), let length = number(head, at: lengthAt + 18)
        else { throw BenchFailure("an answer that is not HTTP/1.1 with a Content-Length") }
        let start = end + 4
        guard bytes.count - start >= length else { return nil }
        return Answer(
            status: status, content: UnsafeRawBufferPointer(rebasing: bytes[start..<start + length]),
            byteCount: start + length)
    }

    private static func number(_ bytes: UnsafeRawBufferPointer, at start: Int) -> Int? {
        var value = 0
        var index = start
        while index < bytes.count, bytes[index] >= 0x30, bytes[index] <= 0x39, index < start + 9 {
            value = value * 10 + Int(bytes[index] - 0x30)
            index += 1
        }
        return index > start ? value : nil
    }

    private static func find(_ text: StaticString, in bytes: UnsafeRawBufferPointer) -> Int? {
        bytes.position(of: UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}

extension UnsafeRawBufferPointer {
    /// The position at which the pattern, which is not empty, first occurs.
    func position(of pattern: UnsafeRawBufferPointer) -> Int? {
        guard let base = baseAddress, let wanted = pattern.baseAddress else { return nil }
        var from = 0
        while count - from >= pattern.count {
            let room = count - from - pattern.count + 1
            guard let found = memchr(base + from, Int32(pattern[0]), room) else { return nil }
            let position = base.distance(to: UnsafeRawPointer(found))
            if memcmp(found, wanted, pattern.count) == 0 { return position }
            from = position + 1
        }
        return nil
    }
}
