import Foundation
import Glibc
import Synchronization

/// Stands between a store and the server's Unix socket, and cuts a connection at the moment of a COMMIT.
final class CuttingProxy: Sendable {
    /// What is lost with the connection.
    enum Cut: CaseIterable {
        /// The COMMIT, with all that was sent with it.
        case request
        /// The answer to a COMMIT that was done.
        case answer
    }

    private let directory: TemporaryDirectory
    private let port: Int
    private let target: String
    private let listener: Int32
    private let armed = Mutex<Cut?>(nil)

    init(to server: PostgresServer) throws {
        directory = try TemporaryDirectory()
        port = server.port
        target = "\(server.directory)/.s.PGSQL.\(server.port)"
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let bound = Self.withAddress("\(directory.path)/.s.PGSQL.\(port)") { bind(listener, $0, $1) }
        guard bound == 0, listen(listener, 16) == 0 else {
            throw PostgresServer.Failure.command("bind", output: String(cString: strerror(errno)))
        }
        Thread.detachNewThread { self.accept() }
    }

    /// A URL as the server's own, with the proxy in between.
    func url(schema: String) -> String {
        let host = directory.path.replacing("/", with: "%2F")
        return "postgres://postgres@\(host):\(port)/postgres?options=-c%20search_path%3D\(schema)"
    }

    /// The next COMMIT is cut.
    func arm(_ cut: Cut) { armed.withLock { $0 = cut } }

    var isArmed: Bool { armed.withLock { $0 != nil } }

    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        directory.remove()
    }

    private func accept() {
        while true {
            let client = Glibc.accept(listener, nil, nil)
            guard client >= 0 else { break }
            let server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            _ = Self.withAddress(target) { connect(server, $0, $1) }
            Thread.detachNewThread { self.pass(from: client, to: server, cutting: .request, at: "commit\0") }
            Thread.detachNewThread {
                self.pass(from: server, to: client, cutting: .answer, at: "COMMIT\0")
                close(client)
                close(server)
            }
        }
        close(listener)
    }

    /// Passes bytes on until one side ends, or until what is to be cut comes by.
    private func pass(from source: Int32, to sink: Int32, cutting cut: Cut, at sign: String) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(source, &buffer, buffer.count)
            guard count > 0 else { break }
            let isCut = armed.withLock { armed in
                guard armed == cut, Data(buffer[..<count]).range(of: Data(sign.utf8)) != nil else { return false }
                armed = nil
                return true
            }
            guard !isCut, send(sink, buffer, count, Int32(MSG_NOSIGNAL)) == count else { break }
        }
        shutdown(sink, Int32(SHUT_RDWR))
        shutdown(source, Int32(SHUT_RDWR))
    }

    private static func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
