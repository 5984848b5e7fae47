import Foundation
import Glibc
import Synchronization

/// A proxy between gateways and the Unix socket of a PostgreSQL server that can cut their connections.
final class CutProxy: Sendable {
    /// The connections and directions to cut.
    enum Cut: CaseIterable {
        /// Every connection, in both directions at once.
        case all
        /// Every second connection.
        case half
        /// The server's answers: they are lost first, then the connections.
        case answers
        /// The gateways' requests: they are lost first, then the connections.
        case requests
        /// Every connection, and all new ones until ``mend()``.
        case away
    }

    /// A gateway's connection, paired with the proxy's connection to the server.
    private final class Link: Sendable {
        let gateway: Int32
        let server: Int32
        let losesAnswers = Atomic(false)
        let losesRequests = Atomic(false)
        /// Whether bytes in this direction are dropped.
        func loses(answers: Bool) -> Bool {
            answers ? losesAnswers.load(ordering: .relaxed) : losesRequests.load(ordering: .relaxed)
        }

        /// The number of directions that have ended, of two.
        private let endedCount = Atomic(0)

        init(gateway: Int32, server: Int32) {
            self.gateway = gateway
            self.server = server
        }

        /// Shuts down both directions; the threads that forward bytes detect it.
        func cut() {
            shutdown(gateway, Int32(SHUT_RDWR))
            shutdown(server, Int32(SHUT_RDWR))
        }

        /// Counts one direction as ended, and returns whether both have ended. Call it once for each direction.
        func endDirection() -> Bool { endedCount.add(1, ordering: .acquiringAndReleasing).newValue == 2 }

        func close() {
            Glibc.close(gateway)
            Glibc.close(server)
        }
    }

    private let folder: String
    private let port: Int
    private let target: String
    private let listener: Int32
    private let links = Mutex<[Link]>([])
    private let isAway = Atomic(false)

    /// Creates a proxy that listens on its own socket.
    init(to server: BenchPostgres) throws {
        folder = try BenchFile.makeTemporaryFolder()
        port = server.port
        target = server.socketPath
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard Self.withAddress("\(folder)/.s.PGSQL.\(port)", { bind(listener, $0, $1) }) == 0, listen(listener, 64) == 0
        else { throw BenchFailure(systemCall: "bind") }
        Thread.detachNewThread { [self] in accept() }
    }

    /// The server's URL through the proxy.
    var url: String { BenchPostgres.url(folder: folder, port: port) }

    /// Cuts connections until ``mend()``.
    func cut(_ cut: Cut) {
        links.withLock { links in
            for (number, link) in links.enumerated() {
                switch cut {
                case .all, .away: link.cut()
                case .half: if number % 2 == 0 { link.cut() }
                case .answers: link.losesAnswers.store(true, ordering: .relaxed)
                case .requests: link.losesRequests.store(true, ordering: .relaxed)
                }
            }
        }
        if cut == .away { isAway.store(true, ordering: .relaxed) }
    }

    /// Ends the connections whose bytes are dropped, and admits new ones.
    func mend() {
        isAway.store(false, ordering: .relaxed)
        links.withLock { links in
            for link in links
            where link.loses(answers: true) || link.loses(answers: false) { link.cut() }
        }
    }

    /// Ends every connection and accepts no more.
    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        cut(.away)
        BenchFile.removeFolder(folder)
    }

    private func accept() {
        while true {
            let gateway = Glibc.accept(listener, nil, nil)
            guard gateway >= 0 else { break }
            // A gateway that is started must not inherit the descriptor.
            _ = fcntl(gateway, F_SETFD, FD_CLOEXEC)
            let server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            let link = Link(gateway: gateway, server: server)
            guard !isAway.load(ordering: .relaxed), Self.withAddress(target, { connect(server, $0, $1) }) == 0 else {
                link.close()
                continue
            }
            links.withLock { $0.append(link) }
            for isAnswer in [false, true] {
                Thread.detachNewThread { [self] in pass(link, isAnswer: isAnswer) }
            }
        }
        close(listener)
    }

    /// Forwards bytes in one direction, until one side ends.
    private func pass(_ link: Link, isAnswer: Bool) {
        let (source, sink) = isAnswer ? (link.server, link.gateway) : (link.gateway, link.server)
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = recv(source, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            if link.loses(answers: isAnswer) { continue }
            guard send(sink, buffer, count, Int32(truncatingIfNeeded: MSG_NOSIGNAL)) == count else { break }
        }
        link.cut()
        guard link.endDirection() else { return }
        links.withLock { links in links.removeAll { $0 === link } }
        link.close()
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
