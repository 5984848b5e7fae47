import Glibc

/// The sole owner of an outgoing connection. No operation on it waits beyond the deadline.
struct OutgoingSocket: ~Copyable {
    private let descriptor: CInt
    /// The peer's name in error messages.
    private let name: String
    /// On the monotonic clock, in nanoseconds.
    private let deadline: UInt64

    private init(takingOwnershipOf descriptor: CInt, _ name: String, _ deadline: UInt64) {
        self.descriptor = descriptor
        self.name = name
        self.deadline = deadline
    }
    deinit { close(descriptor) }

    /// Connects to the first of a host's addresses that accepts. The name lookup may take longer than the deadline.
    static func connected(
        host: String, port: String, named name: String, until deadline: UInt64
    ) throws(Failure) -> OutgoingSocket {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        let result = getaddrinfo(host, port, &hints, &list)
        guard result == 0 else { throw Failure("\(name): \(String(cString: gai_strerror(result)))") }
        defer { freeaddrinfo(list) }
        var failure = Failure("\(name): no address")
        var next = list
        while let address = next?.pointee {
            next = address.ai_next
            let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
            let descriptor = socket(address.ai_family, kind, 0)
            guard descriptor >= 0 else { throw Failure("\(name): \(File.systemError())") }
            let connection = OutgoingSocket(takingOwnershipOf: descriptor, name, deadline)
            do throws(Failure) {
                try connection.connect(to: address)
                return connection
            } catch {
                failure = error
            }
        }
        throw failure
    }

    private func connect(to address: addrinfo) throws(Failure) {
        guard Glibc.connect(descriptor, address.ai_addr, address.ai_addrlen) != 0 else { return }
        guard errno == EINPROGRESS else { throw Failure("\(name): \(File.systemError())") }
        try wait(for: POLLOUT)
        var code: CInt = 0
        var length = socklen_t(MemoryLayout<CInt>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length)
        guard code == 0 else { throw Failure("\(name): \(String(cString: strerror(code)))") }
    }

    /// Sends all bytes.
    func send(_ bytes: some Collection<UInt8>) throws(Failure) {
        let bytes = Array(bytes)
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(truncatingIfNeeded: MSG_NOSIGNAL))
            }
            if count < 0, errno == EAGAIN {
                try wait(for: POLLOUT)
            } else if count < 0, errno != EINTR {
                throw Failure("\(name): \(File.systemError())")
            }
            sent += max(0, count)
        }
    }

    /// Waits for bytes and returns some of them; empty at the end of the stream.
    func receive() throws(Failure) -> [UInt8] {
        var chunk = [UInt8](repeating: 0, count: 8192)
        while true {
            let count = recv(descriptor, &chunk, chunk.count, 0)
            if count < 0, errno == EAGAIN {
                try wait(for: POLLIN)
            } else if count < 0, errno != EINTR {
                throw Failure("\(name): \(File.systemError())")
            } else if count >= 0 {
                return Array(chunk[..<count])
            }
        }
    }

    private func wait(for events: CInt) throws(Failure) {
        while true {
            let now = SystemClock.monotonicNanoseconds()
            var watched = pollfd(fd: descriptor, events: Int16(events), revents: 0)
            // Rounded up, so that the last millisecond is not a busy loop of zero-length waits.
            let milliseconds = now < deadline ? (deadline - now + 999_999) / 1_000_000 : 0
            let count = poll(&watched, 1, Int32(clamping: milliseconds))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Failure("\(name): no answer in time") }
            return
        }
    }
}
