/// Where a server listens.
public struct BoundAddress: Sendable, Hashable, CustomStringConvertible {
    /// The numeric address: `127.0.0.1`, `::1`.
    public var host: String
    /// The port; never 0.
    public var port: UInt16

    /// Makes an address.
    public init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// As in a URL: `127.0.0.1:8080`, `[::1]:8080`.
    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
