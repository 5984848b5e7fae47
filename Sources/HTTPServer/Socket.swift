import CLinux
import Glibc

/// Sole owner of one socket descriptor, which its end closes.
struct Socket: ~Copyable, Sendable {
    let descriptor: Int32

    /// What reading or writing came to.
    enum Transfer: Equatable {
        case bytes(Int)
        case endOfStream
        case wouldBlock
    }

    /// Takes ownership of a descriptor.
    init(owning descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Gives the descriptor up to an owner that a `~Copyable` value can't be handed to.
    consuming func release() -> Int32 {
        let descriptor = descriptor
        discard self
        return descriptor
    }

    /// Makes a stream socket that does not block.
    ///
    /// - Parameter family: `AF_INET` or `AF_INET6`.
    static func stream(family: Int32) throws(HTTPServerError) -> Socket {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let (descriptor, code) = retryingInterrupted { socket(family, type, 0) }
        guard descriptor >= 0 else { throw .systemCall("socket", errno: code) }
        return Socket(owning: Int32(descriptor))
    }

    /// Reads what has arrived, at most as much as there is room.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(HTTPServerError) -> Transfer {
        try transfer("recv") { recv(descriptor, buffer.baseAddress, buffer.count, 0) }
    }

    /// Writes as much as there is room for. A peer that is gone causes an error, not SIGPIPE.
    ///
    /// - Parameter start: where in `bytes` it begins, before their end.
    func write(_ bytes: [UInt8], from start: Int) throws(HTTPServerError) -> Transfer {
        try transfer("send") {
            bytes.withUnsafeBytes {
                let rest = UnsafeRawBufferPointer(rebasing: $0[start...])
                return send(descriptor, rest.baseAddress, rest.count, Int32(truncatingIfNeeded: MSG_NOSIGNAL))
            }
        }
    }

    /// Whether the peer's system has not taken all that was written (`SIOCOUTQ`, `tcp(7)`).
    var hasUnacknowledgedBytes: Bool {
        var count: Int32 = 0
        return ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 && count > 0
    }

    /// Says that nothing more will be written. Of a peer that is gone there is nobody to tell.
    func shutdownWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Makes the close a reset: what the peer has not taken is dropped (`SO_LINGER`, `socket(7)`).
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

    /// Takes the next waiting connection; nil when there is none.
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

    /// Repeats a system call while signals interrupt it, and takes `errno` before anything else can change it.
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
    /// - Returns: the address with the port that was chosen.
    func listen(at address: SocketAddress, backlogMax: Int32) throws(HTTPServerError) -> BoundAddress {
        // Restarting must not wait for the connections of the last run to leave TIME_WAIT.
        try setOption(level: SOL_SOCKET, SO_REUSEADDR, to: 1)
        if address.family == AF_INET6 {
            // `::` means IPv4 too; of any other IPv6 address the option changes nothing.
            try setOption(level: Int32(IPPROTO_IPV6), IPV6_V6ONLY, to: 0)
        }
        guard address.withPointer({ bind(descriptor, $0, $1) }) == 0 else {
            throw .systemCall("bind", errno: errno)
        }
        guard Glibc.listen(descriptor, backlogMax) == 0 else { throw .systemCall("listen", errno: errno) }
        return try boundAddress()
    }

    /// Readies a socket that another process has made and that already listens.
    ///
    /// - Returns: where it listens.
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

    /// Sets what connections that are accepted from now on inherit (`tcp(7)`).
    ///
    /// - Parameters:
    ///   - sendBytesMax: what the kernel holds for a peer that does not read; it doubles that for its own needs.
    ///   - takeMilliseconds: after which a connection ends whose peer takes nothing of what was sent.
    func setAccepted(sendBytesMax: Int32, takeMilliseconds: Int32) throws(HTTPServerError) {
        // Responses are written whole, so waiting for more to send only delays them.
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

    /// An integer option of the socket itself (`socket(7)`); nil when it has none, or is no socket.
    private func option(_ name: Int32) -> Int32? {
        var value: Int32 = 0
        var count = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, name, &value, &count) == 0 ? value : nil
    }
}
