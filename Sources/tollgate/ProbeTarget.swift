import Glibc

/// The target of one HTTP/1.1 request without TLS.
struct ProbeTarget: CustomStringConvertible {
    /// The response.
    struct Reply {
        let status: Int
        let content: [UInt8]
    }

    private static let replyBytesMax = 64 * 1024

    private let host: String
    private let port: String
    private let path: String

    /// Parses `http://host:port`; an IPv6 address is in brackets.
    ///
    /// - Parameter path: the path to request if the URL has none.
    init(_ url: String, path: String) throws(Failure) {
        let failure = Failure("\(url): http://host:port is wanted")
        let scheme = "http://"
        guard url.hasPrefix(scheme), !url.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else { throw failure }
        let rest = url.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" }
        let given = rest[authority.endIndex...]
        self.path = given.isEmpty || given == "/" ? path : String(given)
        let end: Substring
        if authority.hasPrefix("[") {
            guard let bracket = authority.firstIndex(of: "]") else { throw failure }
            host = String(authority[authority.index(after: authority.startIndex)..<bracket])
            end = authority[authority.index(after: bracket)...]
        } else {
            let name = authority.prefix { $0 != ":" }
            host = String(name)
            end = authority[name.endIndex...]
        }
        port = end.isEmpty ? "80" : String(end.dropFirst())
        guard !host.isEmpty, end.isEmpty || end.hasPrefix(":"), UInt16(port) != nil else { throw failure }
    }

    var description: String { "http://\(host.contains(":") ? "[\(host)]" : host):\(port)" }

    /// Sends a GET and returns the response.
    func get(withinSeconds seconds: Double) throws(Failure) -> Reply {
        let deadline = SystemClock.monotonicNanoseconds() + UInt64(seconds * 1e9)
        let socket = try OutgoingSocket.connected(host: host, port: port, named: "\(self)", until: deadline)
        let name = host.contains(":") ? "[\(host)]" : host
        try socket.send("GET \(path) HTTP/1.1\r\nHost: \(name):\(port)\r\nConnection: close\r\n\r\n".utf8)
        var received: [UInt8] = []
        while received.count <= Self.replyBytesMax {
            let chunk = try socket.receive()
            if chunk.isEmpty { return try reply(received) }
            received += chunk
        }
        throw Failure("\(self): answers more than \(Self.replyBytesMax) bytes")
    }

    private func reply(_ bytes: [UInt8]) throws(Failure) -> Reply {
        let line = String(decoding: bytes.prefix { $0 != 0x0D }, as: UTF8.self).split(separator: " ")
        let head = bytes.indices.first { bytes[$0...].starts(with: "\r\n\r\n".utf8) }
        guard let head, line.count >= 2, line[0].hasPrefix("HTTP/1."), let status = Int(line[1]) else {
            throw Failure("\(self): no whole answer in HTTP")
        }
        return Reply(status: status, content: Array(bytes[(head + 4)...]))
    }
}
