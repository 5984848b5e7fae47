public import HTTP
internal import HTTPTypes
public import Payments
public import Values

/// All metrics of a gateway, as one document.
public struct GatewayMetrics: Sendable {
    /// The connection statistics of a listener.
    public struct Connections: Sendable {
        /// The name of the listener: `merchants`, `control`, `operations`.
        public var listener: String
        /// The number of open connections.
        public var open = 0
        /// The number of accepted connections, without refused ones.
        public var accepted: UInt64 = 0
        /// The number of connections refused because there were too many.
        public var refused: UInt64 = 0
        /// The number of failed TLS handshakes.
        public var handshakesFailed: UInt64 = 0
        /// The number of connections that used HTTP/2.
        public var http2: UInt64 = 0
        /// The number of requests received on HTTP/2 streams.
        public var streams: UInt64 = 0
        /// The number of requests in flight.
        public var requestsInFlight = 0
        /// The number of requests refused because there were too many.
        public var requestsRefused: UInt64 = 0

        /// Creates statistics with all counts 0.
        public init(listener: String) { self.listener = listener }
    }

    /// The metrics of requests.
    public var requests: RequestMetrics
    /// The current merchants.
    public var merchants: MerchantDirectory
    /// The gateway's clock, for the expiry of merchants' certificates.
    public var now: @Sendable () -> Instant
    /// The expiry of the listeners' TLS certificate, and the system time, by which clients judge the certificate; nil
    /// without TLS.
    public var serverCertificate: @Sendable () -> (notAfter: Instant, now: Instant)?
    /// The numbers of writes that the store synced together, by kind.
    public var storeBatches: [(kind: String, sizes: BatchSizes)]
    /// The numbers of store failures, by access.
    public var storeFailures: StoreFailureCounts
    /// The statistics of the listeners.
    public var connections: @Sendable () -> [Connections]
    /// The number of dropped access log lines.
    public var droppedLogLines: @Sendable () -> UInt64
    /// The gateway's version.
    public var version: String

    /// Creates the metrics from their sources.
    public init(
        requests: RequestMetrics, merchants: MerchantDirectory, now: @escaping @Sendable () -> Instant,
        serverCertificate: @escaping @Sendable () -> (notAfter: Instant, now: Instant)?,
        storeBatches: [(kind: String, sizes: BatchSizes)], storeFailures: StoreFailureCounts,
        connections: @escaping @Sendable () -> [Connections], droppedLogLines: @escaping @Sendable () -> UInt64,
        version: String
    ) {
        self.requests = requests
        self.merchants = merchants
        self.now = now
        self.serverCertificate = serverCertificate
        self.storeBatches = storeBatches
        self.storeFailures = storeFailures
        self.connections = connections
        self.droppedLogLines = droppedLogLines
        self.version = version
    }

    /// The document as a response, which must not be cached.
    public var response: Response {
        var response = Response(status: .ok, contentType: MetricsText.contentType, body: Array(text.utf8))
        response.head.headerFields[.cacheControl] = "no-store"
        return response
    }

    /// The document, in Prometheus's text format 0.0.4.
    var text: String {
        var text = MetricsText()
        text.add(
            "tollgate_build_info", .gauge, "1, with the gateway's version.", [([("version", version)], "1")])
        requests.write(to: &text)
        writeConnections(to: &text)
        writeStore(to: &text)
        text.add(
            "tollgate_access_log_lines_dropped_total", .counter,
            "Lines of the access log that nobody took in time, or that could not be written.", String(droppedLogLines())
        )
        CertificateMetrics(of: merchants.all.list, at: now()).write(to: &text)
        writeServerCertificate(to: &text)
        ProcessFigures().write(to: &text)
        return text.text
    }

    private func writeConnections(to text: inout MetricsText) {
        let all = connections()
        func add(_ name: String, _ kind: MetricsText.Kind, _ help: String, _ value: (Connections) -> String) {
            text.add(name, kind, help, all.map { ([("listener", $0.listener)], value($0)) })
        }
        add("tollgate_connections", .gauge, "Connections open now.") { String($0.open) }
        add("tollgate_connections_accepted_total", .counter, "Connections that were accepted to be served.") {
            String($0.accepted)
        }
        add("tollgate_connections_refused_total", .counter, "Connections that were too many.") { String($0.refused) }
        add("tollgate_tls_handshakes_failed_total", .counter, "TLS handshakes that failed.") {
            String($0.handshakesFailed)
        }
        add("tollgate_http2_connections_total", .counter, "Connections that turned out to speak HTTP/2.") {
            String($0.http2)
        }
        add("tollgate_http2_streams_total", .counter, "Requests that came on streams of HTTP/2.") { String($0.streams) }
        add("tollgate_requests_under_way", .gauge, "Requests that wait for their answers now.") {
            String($0.requestsInFlight)
        }
        add("tollgate_requests_refused_total", .counter, "Requests refused because a limit was reached.") {
            String($0.requestsRefused)
        }
    }

    private func writeServerCertificate(to text: inout MetricsText) {
        guard let (notAfter, now) = serverCertificate() else { return }
        text.add(
            "tollgate_tls_certificate_expiry_timestamp_seconds", .gauge,
            "When the gateway's own certificate expires, in seconds since 1970-01-01T00:00:00Z.",
            String(notAfter.secondsSinceEpoch))
        text.add(
            "tollgate_tls_certificate_days_left", .gauge,
            "Whole days until the gateway's own certificate expires, rounded down; negative once it has.",
            String(notAfter.wholeDays(after: now)))
    }

    private func writeStore(to text: inout MetricsText) {
        text.add(
            "tollgate_store_batch_size", "How many writes the store synced together, for each sync.",
            storeBatches.map { kind, sizes in
                let snapshot = sizes.snapshot
                return (
                    [("kind", kind)],
                    MetricsText.Histogram(
                        buckets: snapshot.counts.map { (String($0.sizeMax), $0.count) }, beyond: 0,
                        sum: String(snapshot.sum))
                )
            })
        text.add(
            "tollgate_store_failures_total", .counter, "Requests to the store that failed, by what was asked.",
            StoreFailureCounts.Kind.allCases.map { ([("access", $0.rawValue)], String(storeFailures[$0])) })
    }
}
