import Glibc

/// Sole owner of a client's non-blocking socket.
///
/// The load generator has its own sockets in place of an `HTTPClient`, since many requests share a connection and a
/// thread, and their times are measured to the microsecond.
struct LoadSocket: ~Copyable {
    let descriptor: Int32

    /// Connects to a port of 127.0.0.1.
    init(port: UInt16) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw BenchFailure(systemCall: "socket") }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        let connected = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        var isOn: Int32 = 1
        guard connected == 0, fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0,
            setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size)) == 0
        else {
            let code = errno
            let failure = BenchFailure(systemCall: "connect to port \(port)")
            close(descriptor)
            guard code != ECONNREFUSED, code != ECONNRESET else { throw ConnectionLost(failure.description) }
            throw failure
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Reads received bytes; returns 0 at the end of the stream, nil if there are none yet.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int? {
        while true {
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count >= 0 { return count }
            if errno == EAGAIN { return nil }
            if errno == ECONNRESET { throw ConnectionLost("the server reset a connection") }
            guard errno == EINTR else { throw BenchFailure(systemCall: "recv") }
        }
    }

    /// Sends as many bytes as there is room for.
    func write(_ bytes: [UInt8], from start: Int) throws -> Int {
        while true {
            let count = bytes.withUnsafeBytes {
                send(
                    descriptor, $0.baseAddress?.advanced(by: start), $0.count - start,
                    Int32(truncatingIfNeeded: MSG_NOSIGNAL))
            }
            if count >= 0 { return count }
            if errno == EAGAIN { return 0 }
            if errno == ECONNRESET || errno == EPIPE { throw ConnectionLost("the server reset a connection") }
            guard errno == EINTR else { throw BenchFailure(systemCall: "send") }
        }
    }
}

/// The process's limit on descriptors.
enum OwnDescriptorLimit {
    /// Raises the soft limit to the hard limit.
    static func raise() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
