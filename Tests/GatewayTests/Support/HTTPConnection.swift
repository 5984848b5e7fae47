import Glibc
import JSON

/// A connection over which a test sends whatever bytes it likes, and sees those that come back. Plain requests are sent with
/// ``Exchange``.
final class HTTPConnection {
    /// Why the test can't go on.
    enum Failure: Error, Equatable {
        case system(String, Int32)
        case reset
        case tookTooLong
        case endedEarly
        case notHTTP(String)
    }

    private let descriptor: Int32
    private var received: [UInt8] = []

    /// Connects to a port of this machine.
    init(port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Failure.system("socket", errno) }
        var wait = timeval(tv_sec: Int(Patience.seconds), tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw Failure.system("connect", errno) }
    }

    deinit { close(descriptor) }

    /// Whether anyone listens on a port of this machine.
    static func isListening(_ port: UInt16) -> Bool { (try? HTTPConnection(port: port)) != nil }

    /// Sends bytes. A peer that has closed already is no failure here: its reply is read all the same.
    func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EPIPE || errno == ECONNRESET { return }
            guard count > 0 else { throw Failure.system("send", errno) }
            sent += count
        }
    }

    /// Sends text.
    func send(_ text: String) throws { try send(Array(text.utf8)) }

    /// Tells the peer that nothing more will come.
    func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Waits for more bytes and takes them in; false at the end.
    private func receive() throws -> Bool {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &chunk, chunk.count, 0)
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { throw Failure.tookTooLong }
            if count < 0, errno == ECONNRESET { throw Failure.reset }
            guard count >= 0 else { throw Failure.system("recv", errno) }
            received += chunk[..<count]
            return count > 0
        }
    }

    /// The next bytes as they come; none at the end.
    func receiveSome() throws -> [UInt8] {
        _ = try receive()
        defer { received = [] }
        return received
    }

    /// All bytes until the peer closes.
    func receiveToEnd() throws -> [UInt8] {
        while try receive() {}
        return received
    }

    /// The next response, of whose length its head must tell.
    func receiveResponse() throws -> HTTPReply {
        while true {
            if let reply = try HTTPReply(takenFrom: &received) { return reply }
            guard try receive() else { throw Failure.endedEarly }
        }
    }

    /// Whether the peer closes without sending anything more.
    func isClosedByPeer() throws -> Bool {
        let more = try receive()
        return !more && received.isEmpty
    }
}

/// A response as it came.
struct HTTPReply {
    static let endOfHead = Array("\r\n\r\n".utf8)

    /// The status line and the fields.
    let head: String
    let status: Int
    let body: [UInt8]

    init(head: String, body: [UInt8]) throws {
        let parts = head.split(separator: " ", maxSplits: 2)
        guard head.hasPrefix("HTTP/1.1 "), parts.count == 3, let status = Int(parts[1]) else {
            throw HTTPConnection.Failure.notHTTP(head)
        }
        self.head = head
        self.status = status
        self.body = body
    }

    /// Takes the first response out of what has come, if that is whole.
    init?(takenFrom received: inout [UInt8]) throws {
        guard let end = received.range(of: Self.endOfHead) else { return nil }
        let head = String(decoding: received[..<end.upperBound], as: UTF8.self)
        let reply = try HTTPReply(head: head, body: [])
        let length = reply.status < 200 ? 0 : Int(reply.field("content-length") ?? "") ?? 0
        guard received.count >= end.upperBound + length else { return nil }
        let body = Array(received[end.upperBound..<end.upperBound + length])
        received.removeFirst(end.upperBound + length)
        try self.init(head: head, body: body)
    }

    /// The one response that a connection held before it was closed.
    init(only bytes: [UInt8]) throws {
        guard let end = bytes.range(of: Self.endOfHead) else {
            throw HTTPConnection.Failure.notHTTP(String(decoding: bytes, as: UTF8.self))
        }
        try self.init(
            head: String(decoding: bytes[..<end.upperBound], as: UTF8.self), body: Array(bytes[end.upperBound...]))
        guard body.count == Int(field("content-length") ?? "") else {
            throw HTTPConnection.Failure.notHTTP(String(decoding: bytes, as: UTF8.self))
        }
    }

    /// A field's value.
    func field(_ name: String) -> String? {
        for line in head.split(separator: "\r\n").dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2, parts[0].lowercased() == name { return parts[1].drop { $0 == " " }.description }
        }
        return nil
    }

    /// The content as text.
    var text: String { String(decoding: body, as: UTF8.self) }

    /// The content as JSON.
    var json: JSONValue { get throws { try JSONValue(parsing: body) } }

    /// A text or number of the content, by its dotted path; numbers are elements of arrays.
    subscript(path: String) -> String? {
        guard var value = try? json else { return nil }
        for name in path.split(separator: ".").map(String.init) {
            if case .array(let elements) = value, let index = Int(name), elements.indices.contains(index) {
                value = elements[index]
            } else if let member = value[name] {
                value = member
            } else {
                return nil
            }
        }
        switch value {
        case .string(let text): return text
        case .number, .bool: return String(decoding: value.serialized(), as: UTF8.self)
        case .null, .array, .object: return nil
        }
    }
}

extension [UInt8] {
    /// Where a pattern first occurs.
    func range(of pattern: [UInt8]) -> Range<Int>? {
        guard !pattern.isEmpty, count >= pattern.count else { return nil }
        return withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return nil }
            var start = 0
            let last = count - pattern.count
            while start <= last, let found = memchr(base + start, Int32(pattern[0]), last - start + 1) {
                let offset = base.distance(to: UnsafeRawPointer(found))
                if memcmp(found, pattern, pattern.count) == 0 { return offset..<offset + pattern.count }
                start = offset + 1
            }
            return nil
        }
    }
}
