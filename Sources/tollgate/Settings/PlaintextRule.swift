import Glibc

/// Plaintext is allowed on loopback only. Elsewhere, passwords and card data would cross a network unencrypted, unless
/// the operator states that something else encrypts them.
enum PlaintextRule {
    /// Refuses addresses other than loopback, including those of inherited sockets. The operations listener is exempt:
    /// it carries neither passwords nor card data.
    static func check(_ settings: ServeSettings, _ sockets: ServiceSockets) throws {
        guard settings.tls == nil, !settings.allowsPlaintext else { return }
        let usesHost = sockets.merchants.isEmpty || (settings.controlPort != nil && sockets.control.isEmpty)
        if usesHost, !isLoopback(settings.host) { throw refusal(settings.host) }
        for socket in sockets.merchants + sockets.control where !isLoopback(socket) {
            throw refusal("LISTEN_FDS: descriptor \(socket)")
        }
    }

    private static func refusal(_ place: String) -> Failure {
        Failure(
            "\(place): without TLS, passwords and cards would cross the network unencrypted. One of three ways out: encrypt "
                + "with --tls-certificate and --tls-key (`tollgate certificate self-signed` makes both); only listen on "
                + "this machine, with --host 127.0.0.1; or say with --allow-plaintext that something in front of the "
                + "gateway encrypts")
    }

    /// Whether a socket is bound to a loopback address. A descriptor that is not a socket passes here and is refused
    /// later.
    private static func isLoopback(_ socket: CInt) -> Bool {
        var storage = sockaddr_storage()
        var count = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                getsockname(socket, address, &count) != 0 || isLoopback(address)
            }
        }
    }

    /// Whether every address of a host is in 127.0.0.0/8 or is ::1. A host without addresses passes: listening will
    /// fail.
    private static func isLoopback(_ host: String) -> Bool {
        var hints = addrinfo()
        hints.ai_flags = AI_PASSIVE
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0 else { return true }
        defer { freeaddrinfo(list) }
        for entry in sequence(first: list, next: { $0?.pointee.ai_next }).prefix(while: { $0 != nil }) {
            guard let address = entry?.pointee.ai_addr, isLoopback(address) else { return false }
        }
        return true
    }

    private static func isLoopback(_ address: UnsafeMutablePointer<sockaddr>) -> Bool {
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                UInt32(bigEndian: $0.pointee.sin_addr.s_addr) >> 24 == 127
            }
        case AF_INET6:
            address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
                withUnsafeBytes(of: address.pointee.sin6_addr) { bytes in
                    bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
                }
            }
        default: false
        }
    }
}
