/// The settings of `tollgate serve`, one row each. Options, environment variables, the keys of `tollgate.yaml`, help
/// and documentation come from these rows.
struct SettingsTable: Sendable {
    let host = Setting("host", .address, default: "127.0.0.1", "The address to listen on.")
    let port = Setting("port", .port, default: 8080, "The port; 0 lets the system choose.")
    let data = Setting("data", .folder, default: DataDirectory.defaultPath, "The data directory.")
    let keysFolder = Setting(
        optional: "keysFolder", .folder, default: "the data directory",
        "The folder with installation.key and sandbox/, which gateways on one database share.")
    let storeURL = Setting(
        optional: "storeURL", .storeURL, default: "none",
        "The PostgreSQL database that keeps the orders, postgres://user:password@host:port/database; without one a file in the "
            + "data directory does.")
    let storeURLFile = Setting(
        optional: "storeURLFile", .file, default: "none", "A file whose first line is the URL of that database.")
    let storeConnectionsMax = Setting(
        optional: "storeConnectionsMax", .number(of: "connections", 3...100), default: "4",
        "The most connections to that database.")
    let sandbox = Setting(
        optional: "sandbox", .truth, default: "true if no merchant is configured",
        "Whether there is a sandbox merchant.")
    let clock = Setting(
        optional: "clock", .instant, default: "the machine's clock",
        "Where the gateway's clock starts; it then runs on.")
    let sessionSeconds = Setting(
        "sessionSeconds", .number(of: "seconds", Int64(1)...86_400), default: 900,
        "How long a session lasts after its last change or use.")
    let keepOrdersDays = Setting(
        optional: "keepOrdersDays", .number(of: "days", Int64(1)...36_500), default: "none",
        "How long an order is kept after its last transaction; forever without it.")
    let keepOrdersMax = Setting(
        optional: "keepOrdersMax", .number(of: "orders", Int64(0)...1_000_000_000_000), default: "none",
        "How many orders are kept, if more are over a day old: those with the latest transactions.")
    let controlPort = Setting(
        "controlPort", .portOrNone, default: nil, "none",
        "A port only for the control API, with a bearer token.")
    let controlTokenFile = Setting(
        optional: "controlTokenFile", .secretFile, default: "control-token in the data directory",
        "A file whose first line is that bearer token.")
    let corsOrigins = Setting(
        "corsOrigins", .origins, default: [], "none",
        "The origins besides this machine's whose pages may use the control API.")
    let tlsCertificate = Setting(
        optional: "tlsCertificate", .file, default: "none",
        "The certificate chain to serve with, in PEM, the gateway's own first.")
    let tlsKey = Setting(optional: "tlsKey", .secretFile, default: "none", "The certificate's private key, in PEM.")
    let tlsKeyPasswordFile = Setting(
        optional: "tlsKeyPasswordFile", .secretFile, default: "none", "A file whose first line is the key's password.")
    let tlsClientCA = Setting(
        optional: "tlsClientCA", .file, default: "none",
        "Certificates in PEM, of authorities or of clients, in which the chains of clients must end.")
    let tlsClientCertificates = Setting(
        optional: "tlsClientCertificates", .clientCertificates, default: "optional with a tlsClientCA",
        "Whether clients are asked for certificates.")
    let allowPlaintext = Setting(
        "allowPlaintext", .flag, default: false,
        "Serve without TLS on addresses other than loopback, for a proxy that encrypts.")
    let connectionsMax = Setting(
        "connectionsMax", .number(of: "connections", 1...1_000_000), default: 16_384,
        "The most connections that are served at once.")
    let connectionsPerAddressMax = Setting(
        "connectionsPerAddressMax", .number(of: "connections", 1...1_000_000), default: 1_024,
        "The most connections from one address; those from this machine don't count.")
    let operationsHost = Setting(
        "operationsHost", .address, default: "127.0.0.1", "The address of health and metrics.")
    let operationsPort = Setting(
        optional: "operationsPort", .port, default: "9464, or any if that is taken", "The port of health and metrics.")
    let accessLog = Setting(
        "accessLog", .accessLog, default: .standardOutput, "-", "Where the access log goes.")
    let accessLogFormat = Setting(
        "accessLogFormat", .accessLogFormat, default: .auto,
        "How the access log's lines are written; auto is text on a terminal and JSON elsewhere.")
    let drainSeconds = Setting(
        "drainSeconds", .number(of: "seconds", 0...3600), default: 8,
        "How long requests in flight may take at the end.")
    let radialWebhook = Setting(
        optional: "radialWebhook", .webhook, default: "none",
        "Where settlements of the sandbox's Radial store are reported.")
    let radialDecryptBlob = Setting(
        "radialDecryptBlob", .truth, default: false, "Whether Radial's DecryptBlob is answered.")

    /// The rows, in their order.
    static let rows: [any SettingRow] = Mirror(reflecting: SettingsTable()).children.map { child in
        guard let row = child.value as? any SettingRow, row.key == child.label else {
            preconditionFailure("each property is a setting of its own name")
        }
        return row
    }

    /// The row of an option such as `--port`.
    static func row(ofOption option: String) -> (any SettingRow)? { rows.first { $0.option == option } }
}
