/// The address at which a server listens.
public struct BoundAddress: Sendable, Hashable, CustomStringConvertible {
    /// The numeric address: `127.0.0.1`, `::1`.
    public var host: String
    /// The port; never 0.
    public var port: UInt16

    /// Creates an address.
    public init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// The address in the form of a URL: `127.0.0.1:8080`, `[::1]:8080`.
    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
