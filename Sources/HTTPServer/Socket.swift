import CLinux
import Glibc

/// The sole owner of one socket descriptor, which is closed with it.
struct Socket: ~Copyable, Sendable {
    let descriptor: Int32

    /// The result of a read or write.
    enum Transfer: Equatable {
        case bytes(Int)
        case endOfStream
        case wouldBlock
    }

    /// Takes ownership of a descriptor.
    init(owning descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Gives up ownership of the descriptor, for an owner that can't receive a `~Copyable` value.
    consuming func release() -> Int32 {
        let descriptor = descriptor
        discard self
        return descriptor
    }

    /// Creates a non-blocking stream socket.
    ///
    /// - Parameter family: `AF_INET` or `AF_INET6`.
    static func stream(family: Int32) throws(HTTPServerError) -> Socket {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let (descriptor, code) = retryingInterrupted { socket(family, type, 0) }
        guard descriptor >= 0 else { throw .systemCall("socket", errno: code) }
        return Socket(owning: Int32(descriptor))
    }

    /// Reads available bytes, at most as many as fit into the buffer.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(HTTPServerError) -> Transfer {
        try transfer("recv") { recv(descriptor, buffer.baseAddress, buffer.count, 0) }
    }

    /// Writes as many bytes as the kernel accepts. A disconnected peer causes an error, not SIGPIPE.
    ///
    /// - Parameter start: the position of the first byte to write, before the end of `bytes`.
    func write(_ bytes: [UInt8], from start: Int) throws(HTTPServerError) -> Transfer {
        try transfer("send") {
            bytes.withUnsafeBytes {
                let rest = UnsafeRawBufferPointer(rebasing: $0[start...])
                return send(descriptor, rest.baseAddress, rest.count, Int32(truncatingIfNeeded: MSG_NOSIGNAL))
            }
        }
    }

    /// Whether the peer's system has not acknowledged all written bytes (`SIOCOUTQ`, `tcp(7)`).
    var hasUnacknowledgedBytes: Bool {
        var count: Int32 = 0
        return ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 && count > 0
    }

    /// Shuts down the writing side. An error is ignored, because it means that the peer has disconnected.
    func shutdownWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Makes closing reset the connection: bytes that the peer has not received are dropped (`SO_LINGER`, `socket(7)`).
    func resetOnClose() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    /// Sets an integer option (`setsockopt(2)`).
    func setOption(level: Int32, _ name: Int32, to value: Int32) throws(HTTPServerError) {
        var value = value
        guard setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Int32>.size)) == 0 else {
            throw .systemCall("setsockopt", errno: errno)
        }
    }

    /// Accepts the next waiting connection; nil if there is none.
    func accept() throws(HTTPServerError) -> (descriptor: Int32, address: SocketAddress)? {
        var address = SocketAddress()
        let flags = Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let (accepted, code) = Self.retryingInterrupted {
            address.withMutablePointer { linux_accept4(descriptor, $0, $1, flags) }
        }
        guard accepted >= 0 else {
            if code == EAGAIN || code == EWOULDBLOCK { return nil }
            throw .systemCall("accept4", errno: code)
        }
        return (Int32(accepted), address)
    }

    private func transfer(_ call: String, _ body: () -> Int) throws(HTTPServerError) -> Transfer {
        let (count, code) = Self.retryingInterrupted(body)
        if count > 0 { return .bytes(count) }
        if count == 0 { return .endOfStream }
        guard code == EAGAIN || code == EWOULDBLOCK else { throw .systemCall(call, errno: code) }
        return .wouldBlock
    }

    /// Repeats a system call while signals interrupt it, and returns `errno` before any other call can change it.
    private static func retryingInterrupted(_ call: () -> some BinaryInteger) -> (result: Int, errno: Int32) {
        while true {
            let result = call()
            let code = result < 0 ? errno : 0
            if code != EINTR { return (Int(result), code) }
        }
    }
}

extension Socket {
    /// Binds and listens.
    ///
    /// - Returns: the address with the selected port.
    func listen(at address: SocketAddress, backlogMax: Int32) throws(HTTPServerError) -> BoundAddress {
        // A restart must not wait until the previous process's connections leave TIME_WAIT.
        try setOption(level: SOL_SOCKET, SO_REUSEADDR, to: 1)
        if address.family == AF_INET6 {
            // `::` includes IPv4. For other IPv6 addresses the option has no effect.
            try setOption(level: Int32(IPPROTO_IPV6), IPV6_V6ONLY, to: 0)
        }
        guard address.withPointer({ bind(descriptor, $0, $1) }) == 0 else {
            throw .systemCall("bind", errno: errno)
        }
        guard Glibc.listen(descriptor, backlogMax) == 0 else { throw .systemCall("listen", errno: errno) }
        return try boundAddress()
    }

    /// Prepares an inherited socket that already listens.
    ///
    /// - Returns: the address at which it listens.
    func takeOver() throws(HTTPServerError) -> BoundAddress {
        guard option(SO_ACCEPTCONN) == 1, option(SO_TYPE) == Int32(SOCK_STREAM.rawValue),
            [AF_INET, AF_INET6].contains(option(SO_DOMAIN))
        else { throw .notListening(descriptor) }
        let flags = fcntl(descriptor, F_GETFL)
        guard flags >= 0, fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0,
            fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
        else { throw .systemCall("fcntl", errno: errno) }
        return try boundAddress()
    }

    /// Sets the options that accepted connections inherit (`tcp(7)`).
    ///
    /// - Parameters:
    ///   - sendBytesMax: the size of the kernel's send buffer in bytes; the kernel doubles it for its own data.
    ///   - takeMilliseconds: the time after which a connection ends if its peer acknowledges no sent data.
    func setAccepted(sendBytesMax: Int32, takeMilliseconds: Int32) throws(HTTPServerError) {
        // Responses are written as a whole, so waiting for more data would only delay them.
        try setOption(level: Int32(IPPROTO_TCP), TCP_NODELAY, to: 1)
        try setOption(level: SOL_SOCKET, SO_SNDBUF, to: sendBytesMax)
        try setOption(level: Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, to: takeMilliseconds)
    }

    private func boundAddress() throws(HTTPServerError) -> BoundAddress {
        var bound = SocketAddress()
        guard bound.withMutablePointer({ getsockname(descriptor, $0, $1) }) == 0 else {
            throw .systemCall("getsockname", errno: errno)
        }
        return BoundAddress(host: bound.host, port: bound.port)
    }

    /// An integer option of the socket itself (`socket(7)`); nil if the descriptor lacks the option or is not a socket.
    private func option(_ name: Int32) -> Int32? {
        var value: Int32 = 0
        var count = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, name, &value, &count) == 0 ? value : nil
    }
}
