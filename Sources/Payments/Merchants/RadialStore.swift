public import Values

/// A merchant as Radial's API knows it.
public struct RadialStore: Sendable {
    /// The store id of its paths: 1 to 40 of `0-9 A-Z a-z _ -`.
    public let id: String
    /// The API keys that are valid now; two while one replaces the other.
    public let apiKeys: [APIPassword]
    /// The URL that receives settlement statuses; nil if none does.
    public let webhook: RadialWebhook?

    /// A store.
    public init(id: MerchantID, apiKeys: [APIPassword], webhook: RadialWebhook? = nil) {
        self.id = id.text
        self.apiKeys = apiKeys
        self.webhook = webhook
    }
}

/// The URL that receives the outcomes of a store's settlements.
public struct RadialWebhook: Sendable {
    /// The address.
    public let address: WebhookAddress
    /// What HTTP Basic sends, if the address wants it.
    public let credentials: Credentials?
    /// For how long a message is sent again that nobody took, in milliseconds.
    public let retryMilliseconds: Int64

    /// A user's name and password.
    public struct Credentials: Sendable {
        /// The name, without a colon.
        public let user: String
        /// The password.
        public let password: SecretText

        /// Credentials.
        public init(user: String, password: SecretText) {
            self.user = user
            self.password = password
        }
    }

    /// One day.
    public static let retryMillisecondsDefault: Int64 = 86_400_000

    /// A webhook.
    public init(
        address: WebhookAddress, credentials: Credentials? = nil,
        retryMilliseconds: Int64 = RadialWebhook.retryMillisecondsDefault
    ) {
        precondition(retryMilliseconds > 0, "a span of time")
        self.address = address
        self.credentials = credentials
        self.retryMilliseconds = retryMilliseconds
    }
}

/// An `http` or `https` URL with a host, without credentials and without a fragment (RFC 3986 §3).
public struct WebhookAddress: Equatable, Sendable {
    /// Whether the connection is encrypted, and the server's certificate verified.
    public let isEncrypted: Bool
    /// The name or address, without the brackets of an IPv6 address.
    public let host: String
    /// The port, 1…65535.
    public let port: UInt16
    /// Path and query as they are sent, beginning with `/`.
    public let target: String

    /// The longest URL.
    public static let charactersMax = 2000

    /// Reads a URL; nil if it is not of this kind.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.charactersMax, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return nil
        }
        let schemes = [("https://", true, UInt16(443)), ("http://", false, 80)]
        guard let (prefix, isEncrypted, usualPort) = schemes.first(where: { text.lowercased().hasPrefix($0.0) }),
            !text.contains("#")
        else { return nil }
        let rest = text.dropFirst(prefix.count)
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        guard let (host, port) = Self.hostAndPort(rest[..<end], usualPort) else { return nil }
        let target = rest[end...]
        self.isEncrypted = isEncrypted
        self.host = host
        self.port = port
        self.target = target.hasPrefix("/") ? String(target) : "/" + target
    }

    private static func hostAndPort(_ authority: Substring, _ usualPort: UInt16) -> (String, UInt16)? {
        var host = authority
        var port = usualPort
        let bracket = authority.lastIndex(of: "]") ?? authority.startIndex
        if let colon = authority[bracket...].lastIndex(of: ":") {
            guard let number = UInt16(authority[authority.index(after: colon)...]), number > 0 else { return nil }
            host = authority[..<colon]
            port = number
        }
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
            guard !host.isEmpty,
                host.utf8.allSatisfy({ $0.isHexadecimalDigit || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") })
            else { return nil }
            return (String(host), port)
        }
        let isName = host.utf8.allSatisfy {
            $0.isDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
                || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
        }
        guard !host.isEmpty, host.utf8.count <= 253, isName else { return nil }
        return (String(host), port)
    }
}

extension WebhookAddress: CustomStringConvertible {
    /// Scheme, host and port; a path may be a secret.
    public var description: String {
        "\(isEncrypted ? "https" : "http")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }
}

extension UInt8 {
    fileprivate var isHexadecimalDigit: Bool {
        isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self | 0x20)
    }
}
