public import HTTP
internal import HTTPTypes
internal import JSON

/// The API for probes and scrapers, on a listener of its own: liveness, readiness and metrics. It gives no access to card
/// data, and can't change anything.
///
/// | Path | Answer |
/// |---|---|
/// | `/health/live` | 200 as long as requests are answered at all |
/// | `/health/ready` | 200 if the gateway should receive requests; otherwise 503 with the reason |
/// | `/metrics` | all metrics, in Prometheus's text format 0.0.4 |
public struct OperationsAPI: Sendable {
    /// The path of the readiness probe.
    public static let readinessPath = "/health/ready"
    /// The member of the readiness answer that identifies the gateway's run.
    public static let instanceMember = "instance"

    private let readiness: Readiness
    private let metrics: GatewayMetrics
    private let instance: String

    /// Creates the API of one gateway.
    ///
    /// - Parameters:
    ///   - instance: a unique identifier of this run of the gateway.
    ///   - metrics: the metrics of the gateway.
    public init(instance: String, readiness: Readiness, metrics: GatewayMetrics) {
        self.instance = instance
        self.readiness = readiness
        self.metrics = metrics
    }

    /// Answers one request; usable as an HTTP handler.
    public func answer(_ request: Request) -> Answer {
        let path = request.head.path ?? ""
        let resource: Answer
        switch path.prefix(while: { $0 != "?" }) {
        case "/health/live": resource = .now(.operations(.ok, ["status": "LIVE"]))
        case Substring(Self.readinessPath): resource = .later { await readinessReply() }
        case "/metrics":
            resource = .now(metrics.response)
        default: return .now(.operations(.notFound, ["reason": "no such path"]))
        }
        guard request.head.method == .get || request.head.method == .head else {
            var response = Response.operations(.methodNotAllowed, ["reason": "expected GET or HEAD"])
            response.head.headerFields[.allow] = "GET, HEAD"
            return .now(response)
        }
        return resource
    }

    /// The reply to a request that was malformed, too large or too slow.
    public static let refusalResponse: RefusalResponse = { status, _ in
        .operations(status, ["reason": .string(status.reasonPhrase)])
    }

    private func readinessReply() async -> Response {
        guard let refusal = await readiness.refusal() else {
            return .operations(.ok, [Self.instanceMember: .string(instance), "status": "READY"])
        }
        return .operations(
            .serviceUnavailable,
            [
                Self.instanceMember: .string(instance), "reason": .string(refusal.rawValue),
                "status": "NOT_READY",
            ])
    }
}

extension Response {
    fileprivate static func operations(_ status: HTTPResponse.Status, _ value: JSONValue) -> Response {
        var response = Response(status: status, contentType: "application/json", body: value.serialized() + [0x0A])
        response.head.headerFields[.cacheControl] = "no-store"
        return response
    }
}
