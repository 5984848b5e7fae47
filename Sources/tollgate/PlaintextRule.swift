import Glibc

/// Where the gateway may be asked without encryption: on this machine. Elsewhere requests would cross a network with their
/// passwords and cards in clear, unless the operator says that something else encrypts them.
enum PlaintextRule {
    /// Refuses a host that has an address other than loopback, be it with others that are.
    static func check(host: String, isEncrypted: Bool, isAllowed: Bool) throws {
        guard !isEncrypted, !isAllowed, !isLoopback(host) else { return }
        throw Failure(
            "\(host): without TLS, passwords and cards would cross the network in clear. One of three ways out: encrypt "
                + "with --tls-certificate and --tls-key (`tollgate certificate self-signed` makes both); listen on this "
                + "machine alone, with --host 127.0.0.1; or say with --allow-plaintext that something in front of the "
                + "gateway encrypts")
    }

    /// Whether every address of a host is of 127.0.0.0/8 or is ::1. One that has none is nobody's: listening will fail.
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
