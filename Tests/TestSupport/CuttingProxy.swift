internal import Foundation
internal import Glibc
internal import Synchronization

/// Stands between a store and the server's Unix socket, and cuts a connection at the moment of a COMMIT.
public final class CuttingProxy: Sendable {
    /// The moment of a COMMIT at which its connection is lost.
    public enum Cut: CaseIterable, Sendable {
        /// Before the COMMIT is sent, with all that is sent together with it.
        case request
        /// In the middle of the COMMIT, after what it would commit.
        case partOfRequest
        /// After the COMMIT is done, before its answer.
        case answer
        /// In the middle of its answer.
        case partOfAnswer
        /// After the COMMIT is done: nothing comes any more, and nobody says that the connection is lost.
        case silence

        fileprivate var isOfRequest: Bool { self == .request || self == .partOfRequest }
    }

    private let directory: TemporaryDirectory
    private let port: Int
    private let target: String
    private let listener: Int32
    private let armed = Mutex<Cut?>(nil)

    /// Listens in a directory of its own.
    public init(to server: PostgresServer) throws {
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
    public func url(schema: String) -> String {
        let host = directory.path.replacing("/", with: "%2F")
        return "postgres://postgres@\(host):\(port)/postgres?options=-c%20search_path%3D\(schema)"
    }

    /// The next COMMIT is cut.
    public func arm(_ cut: Cut) { armed.withLock { $0 = cut } }

    /// Whether that is still to come.
    public var isArmed: Bool { armed.withLock { $0 != nil } }

    /// Lets nobody in any more.
    public func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        directory.remove()
    }

    private func accept() {
        while true {
            let client = Glibc.accept(listener, nil, nil)
            guard client >= 0 else { break }
            let server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            _ = Self.withAddress(target) { connect(server, $0, $1) }
            let requests = DispatchGroup()
            requests.enter()
            Thread.detachNewThread {
                self.pass(from: client, to: server, ofRequest: true, at: "commit\0")
                requests.leave()
            }
            Thread.detachNewThread {
                self.pass(from: server, to: client, ofRequest: false, at: "COMMIT\0")
                // Not before nobody uses them: their numbers may be another socket's at once.
                requests.wait()
                close(client)
                close(server)
            }
        }
        close(listener)
    }

    /// Passes bytes on until one side ends, or until what is to be cut comes by.
    private func pass(from source: Int32, to sink: Int32, ofRequest: Bool, at sign: String) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var isSilent = false
        while true {
            let count = read(source, &buffer, buffer.count)
            guard count > 0 else { break }
            guard !isSilent else { continue }
            var passed = count
            let cut = armed.withLock { armed -> Cut? in
                guard let cut = armed, cut.isOfRequest == ofRequest,
                    let found = Data(buffer[..<count]).range(of: Data(sign.utf8))
                else { return nil }
                armed = nil
                passed = cut == .partOfRequest || cut == .partOfAnswer ? found.lowerBound + 3 : 0
                return cut
            }
            isSilent = cut == .silence
            guard passed == 0 || send(sink, buffer, passed, Int32(MSG_NOSIGNAL)) == passed, cut == nil || isSilent
            else { break }
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
