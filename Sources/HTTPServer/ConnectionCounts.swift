import HTTP
import Synchronization

/// The number of connections, in total and from each address, and their limits.
final class ConnectionCounts: Sendable {
    /// The maximum number of connections beyond a limit that still get a 503. Further connections are closed without a
    /// response.
    static let refusedConnectionsMax = 128

    private let connectionsMax: Int
    private let perNetworkMax: Int
    private let served = Atomic<Int>(0)
    private let refused = Atomic<Int>(0)
    /// The number of served connections from each network. A network without connections has no entry.
    private let perNetwork = Mutex<[PeerNetwork: Int]>([:])

    /// - Parameter perNetworkMax: the limit for one IPv4 address or IPv6 /64.
    init(connectionsMax: Int, perNetworkMax: Int) {
        self.connectionsMax = connectionsMax
        self.perNetworkMax = perNetworkMax
    }

    /// The number of connections that are served now.
    var servedCount: Int { served.load(ordering: .relaxed) }

    /// Counts a connection until its place is released. Nil: the connection must be closed without a response.
    ///
    /// - Parameter network: the client's network; nil for a connection that counts only in the total.
    func place(for network: PeerNetwork?) -> ConnectionPlace? {
        if Self.take(served, max: connectionsMax) {
            if let network, !take(network) {
                served.subtract(1, ordering: .relaxed)
            } else {
                return ConnectionPlace(in: self, network: network, isRefused: false)
            }
        }
        guard Self.take(refused, max: Self.refusedConnectionsMax) else { return nil }
        return ConnectionPlace(in: self, network: nil, isRefused: true)
    }

    fileprivate func giveBack(_ network: PeerNetwork?, isRefused: Bool) {
        guard !isRefused else {
            refused.subtract(1, ordering: .relaxed)
            return
        }
        served.subtract(1, ordering: .relaxed)
        guard let network else { return }
        perNetwork.withLock { counts in
            let left = (counts[network] ?? 1) - 1
            counts[network] = left > 0 ? left : nil
        }
    }

    private func take(_ network: PeerNetwork) -> Bool {
        perNetwork.withLock { counts in
            let count = counts[network, default: 0]
            guard count < perNetworkMax else { return false }
            counts[network] = count + 1
            return true
        }
    }

    private static func take(_ count: borrowing Atomic<Int>, max: Int) -> Bool {
        guard count.add(1, ordering: .relaxed).newValue > max else { return true }
        count.subtract(1, ordering: .relaxed)
        return false
    }
}

/// One connection's place within the limits; released with the last reference.
final class ConnectionPlace: Sendable {
    /// Whether a limit was exceeded, so that the connection only gets a 503.
    let isRefused: Bool
    private let counts: ConnectionCounts
    private let network: PeerNetwork?

    fileprivate init(in counts: ConnectionCounts, network: PeerNetwork?, isRefused: Bool) {
        self.counts = counts
        self.network = network
        self.isRefused = isRefused
    }

    deinit { counts.giveBack(network, isRefused: isRefused) }
}

/// The address range that counts as one client: an IPv4 address, or the /64 of an IPv6 address, in which a host can
/// choose its address.
struct PeerNetwork: Hashable, Sendable {
    /// The first 64 bits of an IPv6 address; zero for IPv4.
    private let prefix: UInt64
    /// An IPv4 address; nil for IPv6.
    private let address: UInt32?

    /// - Parameter bytes: the address in network byte order, 4 or 16 bytes. An IPv4-mapped IPv6 address
    ///   (`::ffff:0:0/96`, RFC 4291 §2.5.5.2) counts as IPv4.
    init(_ bytes: [UInt8]) {
        precondition(bytes.count == 4 || bytes.count == 16, "an address is of IPv4 or of IPv6")
        let isMapped = bytes.count == 16 && bytes.starts(with: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF])
        if bytes.count == 4 || isMapped {
            prefix = 0
            address = bytes.suffix(4).reduce(0) { $0 << 8 | UInt32($1) }
        } else {
            prefix = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
            address = nil
        }
    }
}
