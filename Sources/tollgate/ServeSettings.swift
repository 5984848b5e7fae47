import Payments
import Values

/// The settings of `tollgate serve`, read from ``SettingSources``.
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

    /// Reads the settings.
    ///
    /// - Parameters:
    ///   - options: the values of the command line, by key.
    ///   - settingsPath: where `tollgate.yaml` is, if there is one.
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
        operations = OperationsSettings(
            host: try sources.value(table.operationsHost), port: try sources.value(table.operationsPort),
            accessLog: try sources.value(table.accessLog), drainSeconds: try sources.value(table.drainSeconds))
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
