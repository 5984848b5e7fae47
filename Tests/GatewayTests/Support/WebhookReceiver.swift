import Glibc

/// A webhook's server: takes one message after the other on a port of this machine that the system chose.
final class WebhookReceiver {
    private let listener: Int32
    let port: UInt16

    init() throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard listener >= 0 else { throw HTTPConnection.Failure.system("socket", errno) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 16) == 0
                    && getsockname(listener, $0, &length) == 0
            }
        }
        guard isBound else { throw HTTPConnection.Failure.system("bind", errno) }
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(listener) }

    /// How long a message may take to come. A gateway that is killed while it sends one leaves it reserved for 60 seconds.
    private static let secondsMax = 60 + 2 * Patience.seconds

    /// Waits for the next message, answers it with a status, and returns all of the request.
    func next(answering status: Int) throws -> String {
        var descriptor = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        guard poll(&descriptor, 1, Self.secondsMax * 1000) > 0 else { throw HTTPConnection.Failure.tookTooLong }
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { throw HTTPConnection.Failure.system("accept", errno) }
        defer { close(connection) }
        var received: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 8192)
        while !Self.isWhole(received) {
            let count = recv(connection, &chunk, chunk.count, 0)
            guard count > 0 else { throw HTTPConnection.Failure.endedEarly }
            received += chunk[..<count]
        }
        let reply = Array("HTTP/1.1 \(status) Answer\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)
        _ = send(connection, reply, reply.count, Int32(MSG_NOSIGNAL))
        return String(decoding: received, as: UTF8.self)
    }

    private static func isWhole(_ bytes: [UInt8]) -> Bool {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let end = text.firstRange(of: "\r\n\r\n")?.upperBound,
            let field = text.firstRange(of: "Content-Length: ")?.upperBound,
            let count = Int(text[field...].prefix(while: \.isNumber))
        else { return false }
        return text[end...].utf8.count >= count
    }
}
