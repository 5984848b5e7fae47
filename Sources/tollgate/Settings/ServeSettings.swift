import Access
import HTTP
import Payments
import Values
import Vault

/// The settings of `tollgate serve`, read from ``SettingSources``.
struct ServeSettings {
    let host: String
    let port: UInt16
    let dataPath: String
    /// The folder with the keys, shared by gateways on one database; nil is the data directory.
    let keysFolder: String?
    /// The database that stores orders.
    let store: StoreSettings
    /// Whether there is a sandbox merchant. If nil, there is one only if no merchant is configured.
    let sandbox: Bool?
    /// The initial time of the gateway's clock; nil is the system time.
    let clock: Instant?
    /// The lifetime of sessions, and their maximum number.
    let sessions: SessionSettings
    /// How long orders are kept, and their maximum number.
    let retention: OrderRetention

    /// The port of the separate control listener; nil if there is none.
    let controlPort: UInt16?
    /// The path of that listener's bearer token; nil leaves it to the environment and the data directory.
    let controlTokenPath: String?
    /// The origins, in addition to this machine's, whose pages may use the control API.
    let corsOrigins: [WebOrigin]
    /// The settings for observability and shutdown.
    let operations: OperationsSettings

    /// The TLS settings of the listeners; nil is plaintext.
    let tls: TLSSettings?
    /// Whether plaintext is allowed on addresses other than loopback.
    let allowsPlaintext: Bool
    /// The maximum number of connections served at once.
    let connectionsMax: Int
    /// The maximum number of connections from one address.
    let connectionsPerAddressMax: Int

    /// The URL to which settlements of the sandbox's Radial store are reported; nil if there is none.
    let radialWebhook: HTTPURL?
    /// Whether Radial's `DecryptBlob` is answered.
    let radialDecryptBlob: Bool

    /// Reads the settings.
    ///
    /// - Parameters:
    ///   - options: the values of the command line, by key.
    ///   - settingsPath: the path of `tollgate.yaml`, if there is one.
    init(options: [String: String], settingsPath: String?) throws {
        let sources = try SettingSources(options: options, settingsPath: settingsPath)
        let table = SettingsTable()
        host = try sources.value(table.host)
        port = try sources.value(table.port)
        dataPath = try sources.value(table.data)
        keysFolder = try sources.value(table.keysFolder)
        store = try StoreSettings.joining(
            url: sources.value(table.storeURL), urlPath: sources.value(table.storeURLFile),
            connectionsMax: sources.value(table.storeConnectionsMax))
        sandbox = try sources.value(table.sandbox)
        clock = try sources.value(table.clock)
        var sessions = SessionSettings()
        sessions.idleMilliseconds = try sources.value(table.sessionSeconds) * 1000
        self.sessions = sessions
        retention = OrderRetention(
            daysMax: try sources.value(table.keepOrdersDays), ordersMax: try sources.value(table.keepOrdersMax))
        controlPort = try sources.value(table.controlPort)
        controlTokenPath = try sources.value(table.controlTokenFile)
        corsOrigins = try sources.value(table.corsOrigins)
        operations = OperationsSettings(
            host: try sources.value(table.operationsHost), port: try sources.value(table.operationsPort),
            accessLog: try sources.value(table.accessLog),
            accessLogFormat: try sources.value(table.accessLogFormat),
            drainSeconds: try sources.value(table.drainSeconds))
        tls = try TLSSettings.joining(
            certificatePath: sources.value(table.tlsCertificate), keyPath: sources.value(table.tlsKey),
            keyPasswordPath: sources.value(table.tlsKeyPasswordFile),
            clientAuthorityPath: sources.value(table.tlsClientCA),
            clientCertificates: sources.value(table.tlsClientCertificates))
        allowsPlaintext = try sources.value(table.allowPlaintext)
        connectionsMax = try sources.value(table.connectionsMax)
        connectionsPerAddressMax = try sources.value(table.connectionsPerAddressMax)
        radialWebhook = try sources.value(table.radialWebhook)
        radialDecryptBlob = try sources.value(table.radialDecryptBlob)
    }
}
