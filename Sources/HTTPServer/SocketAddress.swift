import Glibc
import HTTP

/// An IPv4 or IPv6 address with its port, in the kernel's layout.
struct SocketAddress {
    private var storage = sockaddr_storage()

    init() {}

    /// Copies an address.
    init(_ address: UnsafePointer<sockaddr>, count: socklen_t) {
        precondition(Int(count) <= MemoryLayout<sockaddr_storage>.size, "sockaddr_storage holds every address")
        withUnsafeMutableBytes(of: &storage) {
            $0.copyMemory(from: UnsafeRawBufferPointer(start: address, count: Int(count)))
        }
    }

    /// `AF_INET` or `AF_INET6`.
    var family: Int32 { Int32(storage.ss_family) }

    /// The port in host byte order.
    var port: UInt16 {
        get {
            family == AF_INET6
                ? UInt16(bigEndian: reading(sockaddr_in6.self).sin6_port)
                : UInt16(bigEndian: reading(sockaddr_in.self).sin_port)
        }
        set {
            let isIPv6 = family == AF_INET6
            withUnsafeMutableBytes(of: &storage) { bytes in
                let offset =
                    isIPv6
                    ? MemoryLayout<sockaddr_in6>.offset(of: \.sin6_port)
                    : MemoryLayout<sockaddr_in>.offset(of: \.sin_port)
                bytes.storeBytes(of: newValue.bigEndian, toByteOffset: offset ?? 2, as: UInt16.self)
            }
        }
    }

    /// The numeric address without its port. An IPv4-mapped IPv6 address is shown as IPv4.
    var host: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        if family == AF_INET6 {
            var address = reading(sockaddr_in6.self).sin6_addr
            inet_ntop(AF_INET6, &address, &text, socklen_t(text.count))
        } else {
            var address = reading(sockaddr_in.self).sin_addr
            inet_ntop(AF_INET, &address, &text, socklen_t(text.count))
        }
        let host = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return host.hasPrefix("::ffff:") && host.contains(".") ? String(host.dropFirst(7)) : host
    }

    /// The address as a handler's ``Peer``.
    var peer: Peer {
        let host = host
        return Peer(address: host, isLoopback: host == "::1" || (host.hasPrefix("127.") && !host.contains(":")))
    }

    /// The network as which the address is counted.
    var network: PeerNetwork {
        var bytes = [UInt8]()
        if family == AF_INET6 {
            withUnsafeBytes(of: reading(sockaddr_in6.self).sin6_addr) { bytes.append(contentsOf: $0) }
        } else {
            withUnsafeBytes(of: reading(sockaddr_in.self).sin_addr) { bytes.append(contentsOf: $0) }
        }
        return PeerNetwork(bytes)
    }

    /// Calls a system call with the address and its size.
    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        let count = family == AF_INET6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
        return withUnsafePointer(to: storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(count)) }
        }
    }

    /// Calls a system call that fills in the address.
    mutating func withMutablePointer<Result>(
        _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Result
    ) -> Result {
        var count = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &count) }
        }
    }

    private func reading<Address>(_ type: Address.Type) -> Address {
        withUnsafeBytes(of: storage) { $0.loadUnaligned(as: type) }
    }
}

extension SocketAddress {
    /// All addresses of a host, with port 0.
    static func resolve(_ host: String) throws(HTTPServerError) -> [SocketAddress] {
        var hints = addrinfo()
        hints.ai_flags = AI_PASSIVE
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0, let list else { throw .unknownHost(host) }
        defer { freeaddrinfo(list) }
        var addresses: [SocketAddress] = []
        var next: UnsafeMutablePointer<addrinfo>? = list
        while let entry = next {
            if let address = entry.pointee.ai_addr {
                addresses.append(SocketAddress(address, count: entry.pointee.ai_addrlen))
            }
            next = entry.pointee.ai_next
        }
        return addresses
    }
}
