import ControlAPI
import Glibc
import HTTP
import HTTPServer
import HostedPages
import MerchantAPI
import OperationsAPI
import Payments
import RadialAPI
import Synchronization

/// The observability of a running gateway: its access log, its metrics, and its readiness.
struct Operations: Sendable {
    /// The handler that logs and counts every request.
    let observed: ObservedHandler
    /// Whether the gateway should receive requests.
    let readiness: Readiness
    /// The metrics.
    let metrics: GatewayMetrics
    /// The access log; nil if it is off.
    let log: AccessLog?
    /// The destination of the access log.
    let logFile: AccessLogFile?
    /// The servers whose connections are counted.
    let servers: RunningServers
    /// The identifier of this run of the gateway: 64 random bits in hexadecimal.
    let instance: String

    /// Creates the parts for a gateway with this store.
    init(
        _ settings: OperationsSettings, store: ReportingStore, database: StoreBatches, merchants: MerchantDirectory,
        tls: CurrentTLS?, clock: SettableClock
    ) throws {
        let logFile: AccessLogFile? =
            switch settings.accessLog {
            case .off: nil
            case .standardOutput: AccessLogFile()
            case .file(let path): try AccessLogFile(path)
            }
        let log = logFile.map { file in
            AccessLog(
                settings.accessLogForm, monotonic: SystemClock.monotonicNanoseconds, machine: SystemClock.now,
                write: { file.write($0) })
        }
        let requests = RequestMetrics(MerchantAPI.operations + RadialAPI.operations + HostedPages.operations)
        let servers = RunningServers()
        readiness = Readiness(checkStore: StoreWatch(store).fault)
        metrics = GatewayMetrics(
            requests: requests, merchants: merchants, now: { clock.now() },
            serverCertificate: { tls.map { ($0.notAfter, SystemClock.now()) } },
            storeBatches: [("transactions", database.transactions), ("sealed", database.sealed)],
            storeFailures: store.failures, connections: { servers.connections },
            droppedLogLines: { log?.droppedCount ?? 0 }, version: MerchantAPI.gatewayVersion)
        observed = ObservedHandler(requests, log: log, monotonic: SystemClock.monotonicNanoseconds)
        instance = String(UInt64.random(in: 0...UInt64.max), radix: 16)
        self.log = log
        self.logFile = logFile
        self.servers = servers
    }

    /// The sizes of a store's group commits.
    typealias StoreBatches = (transactions: BatchSizes, sealed: BatchSizes)

    /// The API for probes and scrapers.
    var api: OperationsAPI { OperationsAPI(instance: instance, readiness: readiness, metrics: metrics) }

    /// Reopens the access log's file; later lines go to the new file.
    func reopenLog() {
        log?.finish(withinMilliseconds: 500)
        do { try logFile?.reopen() } catch { StandardError.offerLine("\(error); its lines go where they went") }
    }
}

/// The listening servers of a gateway, by name.
final class RunningServers: Sendable {
    private let servers = Mutex<[(name: String, server: HTTPServer)]>([])

    /// Adds a server.
    func add(_ name: String, _ server: HTTPServer) { servers.withLock { $0.append((name, server)) } }

    /// All servers.
    var all: [HTTPServer] { servers.withLock { $0.map(\.server) } }

    /// The connection statistics of each server.
    var connections: [GatewayMetrics.Connections] {
        servers.withLock { $0 }.map { name, server in
            let statistics = server.statistics
            var connections = GatewayMetrics.Connections(listener: name)
            connections.open = statistics.connectionsOpen
            connections.accepted = statistics.connectionsAccepted
            connections.refused = statistics.connectionsRefused
            connections.handshakesFailed = statistics.handshakesFailed
            connections.http2 = statistics.http2Connections
            connections.streams = statistics.streams
            connections.requestsInFlight = statistics.requestsInFlight
            connections.requestsRefused = statistics.requestsRefused
            return connections
        }
    }
}
