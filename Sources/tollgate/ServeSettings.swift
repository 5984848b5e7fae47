import ApplePay
import Glibc
import Payments

/// The settings of `tollgate serve`: each from its option, else its environment variable, else `tollgate.yaml`, else
/// the default. A value that doesn't fit is refused wherever it comes from.
struct ServeSettings {
    let host: String
    let port: UInt16
    let dataPath: String
    /// The folder with the keys that gateways on one database share; nothing is the data directory.
    let keysFolder: String?
    /// Where orders are kept.
    let store: StoreSettings
    /// Whether there is a sandbox; nothing leaves it to whether merchants are configured.
    let sandbox: Bool?
    /// Where the clock starts; nothing is the machine's time.
    let clock: Instant?
    /// How long sessions last, and how many there may be.
    let sessions: SessionSettings
    /// For how long orders are kept, and how many.
    let retention: OrderRetention

    /// The port of a listener for the control API alone; nothing is none.
    let controlPort: UInt16?
    /// Where that listener's bearer token lies; nothing leaves it to the environment.
    let controlTokenPath: String?
    /// How the gateway is watched, and how it ends.
    let operations: OperationsSettings

    /// What the listeners encrypt with; nothing is that they don't.
    let tls: TLSSettings?
    /// Whether addresses other than loopback may be listened on without TLS.
    let allowsPlaintext: Bool
    /// How many connections may be served at once.
    let connectionsMax: Int
    /// How many of them from one address.
    let connectionsPerAddressMax: Int

    /// Where the sandbox store of Radial's API has its settlements told of.
    let radialWebhook: WebhookAddress?
    /// Whether Radial's `DecryptBlob` is answered.
    let radialDecryptBlob: Bool

    private static let keys = [
        "host", "port", "data", "keysFolder", "sandbox", "clock", "sessionSeconds", "keepOrdersDays", "keepOrdersMax",
        "storeURL", "storeURLFile", "storeConnectionsMax", "controlPort", "controlTokenFile",
        "tlsCertificate", "tlsKey", "tlsKeyPasswordFile", "tlsClientCA", "tlsClientCertificates", "allowPlaintext",
        "connectionsMax", "connectionsPerAddressMax",
        "operationsHost", "operationsPort", "accessLog", "drainSeconds", "radialWebhook", "radialDecryptBlob",
    ]

    /// Reads the settings.
    ///
    /// - Parameters:
    ///   - options: what the command line says, by key.
    ///   - settingsPath: where `tollgate.yaml` lies, if there is one.
    init(options: [String: String], settingsPath: String?) throws {
        precondition(Set(options.keys).isSubset(of: Self.keys), "each option of a command is a setting of its name")
        let file = try settingsPath.map { try YAMLMapping(file: $0, keys: Self.keys) }
        func value<Value>(_ key: String, _ wanted: String, _ read: (String) -> Value?) throws -> Value? {
            let words = Self.words(key)
            let variable = Self.variable(key)
            let sources: [(name: String, text: String?)] = [
                ("--" + words.joined(separator: "-"), options[key]),
                (variable, getenv(variable).map { String(cString: $0) }),
                ("\(settingsPath ?? ""): \(key)", try file?.string(key)),
            ]
            for case (let name, .some(let text)) in sources {
                guard let value = read(text) else { throw Failure("\(name): \(wanted) is wanted, not \(text)") }
                return value
            }
            return nil
        }
        host = try value("host", "an address or a name") { $0.isEmpty ? nil : $0 } ?? "127.0.0.1"
        port = try value("port", "a port from 0 to 65535", { UInt16($0) }) ?? 8080
        dataPath = try value("data", "a folder") { $0.isEmpty ? nil : $0 } ?? DataDirectory.defaultPath
        keysFolder = try value("keysFolder", "a folder") { $0.isEmpty ? nil : $0 }
        store = try StoreSettings.joining(
            // What doesn't fit is repeated by whoever reads a value, and a URL may hold a password.
            url: value("storeURL", "a URL") { $0.isEmpty ? nil : $0 },
            urlPath: value("storeURLFile", "a file") { $0.isEmpty ? nil : $0 },
            connectionsMax: value("storeConnectionsMax", "a number from 3 to 100") { text in
                Int(text).flatMap { (3...100).contains($0) ? $0 : nil }
            })
        sandbox = try value("sandbox", "true or false") { $0 == "true" ? true : $0 == "false" ? false : nil }
        var sessions = SessionSettings()
        let sessionSeconds = try value("sessionSeconds", "a number of seconds from 1 to 86400") { text in
            Int64(text).flatMap { (1...86_400).contains($0) ? $0 : nil }
        }
        if let sessionSeconds { sessions.idleMilliseconds = sessionSeconds * 1000 }
        self.sessions = sessions
        retention = OrderRetention(
            daysMax: try value("keepOrdersDays", "a number of days from 1 to 36500") { text in
                Int64(text).flatMap { (1...36_500).contains($0) ? $0 : nil }
            },
            ordersMax: try value("keepOrdersMax", "a number of orders from 0 to 1000000000000") { text in
                Int64(text).flatMap { (0...1_000_000_000_000).contains($0) ? $0 : nil }
            })
        clock = try value("clock", "an instant in UTC such as 2021-09-01T19:03:10Z") { Instant(rfc3339: $0) }
        controlPort = try value("controlPort", "a port from 0 to 65535", { UInt16($0) })
        controlTokenPath = try value("controlTokenFile", "a file") { $0.isEmpty ? nil : $0 }
        tls = try TLSSettings.joining(
            certificatePath: value("tlsCertificate", "a file") { $0.isEmpty ? nil : $0 },
            keyPath: value("tlsKey", "a file") { $0.isEmpty ? nil : $0 },
            keyPasswordPath: value("tlsKeyPasswordFile", "a file") { $0.isEmpty ? nil : $0 },
            clientAuthorityPath: value("tlsClientCA", "a file") { $0.isEmpty ? nil : $0 },
            clientCertificates: value("tlsClientCertificates", "none, optional or required") {
                TLSSettings.ClientCertificates(rawValue: $0)
            })
        allowsPlaintext =
            try value("allowPlaintext", "true or false") { $0 == "true" ? true : $0 == "false" ? false : nil } ?? false
        func count(_ key: String) throws -> Int? {
            try value(key, "a number from 1 to 1000000") { text in
                Int(text).flatMap { (1...1_000_000).contains($0) ? $0 : nil }
            }
        }
        radialWebhook = try value("radialWebhook", "an http or https URL", WebhookAddress.init)
        radialDecryptBlob =
            try value("radialDecryptBlob", "true or false") { $0 == "true" ? true : $0 == "false" ? false : nil }
            ?? false
        connectionsMax = try count("connectionsMax") ?? 16_384
        connectionsPerAddressMax = try count("connectionsPerAddressMax") ?? 1_024
        var operations = OperationsSettings()
        if let host = try value("operationsHost", "an address or a name", { $0.isEmpty ? nil : $0 }) {
            operations.host = host
        }
        operations.port = try value("operationsPort", "a port from 0 to 65535") { UInt16($0) }
        let accessLog = try value("accessLog", "-, off or a file") {
            $0.isEmpty ? nil : OperationsSettings.AccessLogPlace($0)
        }
        if let accessLog { operations.accessLog = accessLog }
        let drainSeconds = try value("drainSeconds", "a number of seconds from 0 to 3600") { text in
            Int(text).flatMap { (0...3600).contains($0) ? $0 : nil }
        }
        if let drainSeconds { operations.drainSeconds = drainSeconds }
        self.operations = operations
    }

    /// The environment variables that give settings.
    static var variables: [String] { keys.map(variable) }

    private static func variable(_ key: String) -> String {
        "TOLLGATE_" + words(key).map { $0.uppercased() }.joined(separator: "_")
    }

    /// The words of a key: `controlPort` is `control` and `port`, `storeURLFile` is `store`, `url` and `file`.
    private static func words(_ key: String) -> [String] {
        var words = [""]
        var isInCapitals = false
        for (index, character) in zip(key.indices, key) {
            let next = key.index(after: index)
            let endsCapitals = next < key.endIndex && key[next].isLowercase
            if character.isUppercase, !isInCapitals || endsCapitals { words.append("") }
            isInCapitals = character.isUppercase
            words[words.count - 1] += character.lowercased()
        }
        return words
    }
}
