import Foundation
import Glibc
import OpenSSL

/// Takes one connection on a port of this machine that the system chose, waits for a request's head, and sends what a test
/// told it to.
enum ScriptedServer {
    /// What happens once that is sent.
    enum Ending: Sendable { case close, silence }

    /// Starts a server, which ends with its connection.
    ///
    /// - Parameters:
    ///   - tls: a server's context, if the connection is encrypted.
    ///   - took: is given the request.
    /// - Returns: the port.
    static func start(
        _ answer: String, then ending: Ending = .close, tls: TLSContext? = nil,
        took: @escaping @Sendable (String) -> Void = { _ in }
    ) -> UInt16 {
        let (listener, port) = bound()
        listen(listener, 1)
        Thread.detachNewThread {
            let connection = accept(listener, nil, nil)
            close(listener)
            var peer = Peer(connection, tls)
            took(peer.request())
            peer.send(Array(answer.utf8))
            if ending == .silence { peer.waitForEnd() }
            close(connection)
        }
        return port
    }

    /// A port that nobody listens on, as long as the descriptor is open.
    static func bound() -> (descriptor: CInt, port: UInt16) {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) | getsockname(descriptor, $0, &length)
            }
        }
        precondition(result == 0, "loopback has a free port")
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }
}

/// The other side of a connection.
private struct Peer: ~Copyable {
    private let connection: CInt
    private var tls: TLSConnection?

    init(_ connection: CInt, _ context: TLSContext?) {
        self.connection = connection
        tls = context.map { TLSConnection($0) }
    }

    /// The request, as far as it is there with the end of its head. TLS where there should be none is a request.
    mutating func request() -> String {
        var text = ""
        while !text.contains("\r\n\r\n"), !text.hasPrefix("\u{16}") {
            guard let bytes = receive() else { break }
            text += String(decoding: bytes, as: UTF8.self)
        }
        return text
    }

    mutating func send(_ bytes: [UInt8]) {
        guard tls != nil else { return write(bytes) }
        _ = try? tls?.write(bytes)
        tls?.close()
        flush()
    }

    /// The next bytes; nil at the end.
    mutating func receive() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        let count = recv(connection, &buffer, buffer.count, 0)
        guard count > 0 else { return nil }
        guard tls != nil else { return Array(buffer[..<count]) }
        tls?.receive(buffer.span.extracting(..<count))
        var plain: [UInt8] = []
        while case .bytes(let count)? = try? buffer.withUnsafeMutableBytes({ try tls?.read(into: $0) }) {
            plain += buffer[..<count]
        }
        flush()
        return plain
    }

    /// Waits until the client closes; reads nothing.
    func waitForEnd() {
        let isHungUp: Int16 = 0x2000  // POLLRDHUP
        var watched = pollfd(fd: connection, events: isHungUp, revents: 0)
        poll(&watched, 1, -1)
    }

    private mutating func flush() {
        guard let bytes = tls?.output, let start = tls?.outputStart else { return }
        write(Array(bytes[start...]))
        tls?.consumeOutput(bytes.count - start)
    }

    private func write(_ bytes: [UInt8]) {
        _ = Glibc.send(connection, bytes, bytes.count, CInt(truncatingIfNeeded: MSG_NOSIGNAL))
    }
}
