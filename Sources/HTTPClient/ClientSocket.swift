internal import Glibc

/// The sole owner of an outgoing connection. No operation on it waits beyond the deadline.
struct ClientSocket: ~Copyable, ByteStream {
    private let descriptor: CInt
    private let deadline: SuspendingClock.Instant

    private init(takingOwnershipOf descriptor: CInt, _ deadline: SuspendingClock.Instant) {
        self.descriptor = descriptor
        self.deadline = deadline
    }
    deinit { close(descriptor) }

    /// Connects to the first of a host's addresses that accepts. The name lookup may take longer than the deadline.
    static func connected(
        to origin: Origin, until deadline: SuspendingClock.Instant
    ) throws(HTTPClientError) -> ClientSocket {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        let result = getaddrinfo(origin.host, String(origin.port), &hints, &list)
        guard result == 0 else { throw .unknownHost(reason: String(cString: gai_strerror(result))) }
        defer { freeaddrinfo(list) }
        var failure = HTTPClientError.unknownHost(reason: "no address")
        var next = list
        while let address = next?.pointee {
            next = address.ai_next
            let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
            let descriptor = socket(address.ai_family, kind, 0)
            guard descriptor >= 0 else { throw .system(errno: errno) }
            let connection = ClientSocket(takingOwnershipOf: descriptor, deadline)
            do throws(HTTPClientError) {
                try connection.connect(to: address)
                return connection
            } catch {
                failure = error
            }
        }
        throw failure
    }

    private func connect(to address: addrinfo) throws(HTTPClientError) {
        guard Glibc.connect(descriptor, address.ai_addr, address.ai_addrlen) != 0 else { return }
        guard errno == EINPROGRESS else { throw .system(errno: errno) }
        try wait(for: POLLOUT)
        var code: CInt = 0
        var length = socklen_t(MemoryLayout<CInt>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length)
        guard code == 0 else { throw .system(errno: code) }
    }

    func send(_ bytes: [UInt8]) throws(HTTPClientError) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(truncatingIfNeeded: MSG_NOSIGNAL))
            }
            if count < 0, errno == EPIPE || errno == ECONNRESET { return }
            if count < 0, errno == EAGAIN {
                try wait(for: POLLOUT)
            } else if count < 0, errno != EINTR {
                throw .system(errno: errno)
            }
            sent += max(0, count)
        }
    }

    func receive() throws(HTTPClientError) -> [UInt8] {
        var chunk = [UInt8](repeating: 0, count: 8192)
        while true {
            let count = recv(descriptor, &chunk, chunk.count, 0)
            if count < 0, errno == EAGAIN {
                try wait(for: POLLIN)
            } else if count < 0, errno != EINTR {
                throw .system(errno: errno)
            } else if count >= 0 {
                return Array(chunk[..<count])
            }
        }
    }

    private func wait(for events: CInt) throws(HTTPClientError) {
        while true {
            let left = SuspendingClock.now.duration(to: deadline) / .milliseconds(1)
            var watched = pollfd(fd: descriptor, events: Int16(events), revents: 0)
            // Rounded up, so that the last millisecond is not a busy loop of zero-length waits.
            let count = poll(&watched, 1, Int32(min(max(0, left), Double(Int32.max)).rounded(.up)))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .timeout }
            return
        }
    }
}
