public import HTTP
internal import HTTPTypes
public import Access
internal import Payments

/// The APIs of a gateway, watched: each request gets an identifier, is counted, and leaves a line in the access log.
public final class ObservedHandler: Sendable {
    private let metrics: RequestMetrics
    private let log: AccessLog?
    private let monotonic: @Sendable () -> UInt64
    private let identifiers = RequestIdentifiers()

    /// A handler that counts into `metrics` and writes to `log`, if there is one.
    ///
    /// - Parameter monotonic: nanoseconds on the clock by which the server reads a request's arrival.
    public init(_ metrics: RequestMetrics, log: AccessLog?, monotonic: @escaping @Sendable () -> UInt64) {
        self.metrics = metrics
        self.log = log
        self.monotonic = monotonic
    }

    /// Answers a request by `handler`, which notes in a trace what it turns out to be.
    public func answer(_ request: Request, by handler: (Request, RequestTrace) -> Answer) -> Answer {
        let observed = ObservedRequest(
            request, identifiers.next(), RequestTrace(now: monotonic, arrival: request.arrival))
        switch handler(request, observed.trace) {
        case .now(let response): return .now(finished(observed, response))
        case .later(let operation): return .later { self.finished(observed, await operation()) }
        case .laterOrCut(let operation):
            return .laterOrCut {
                guard let response = await operation() else {
                    self.note(observed, nil)
                    return nil
                }
                return self.finished(observed, response)
            }
        }
    }

    private func finished(_ observed: ObservedRequest, _ response: Response) -> Response {
        note(observed, response)
        var response = response
        response.head.headerFields.append(HTTPField(name: .requestIdentifier, value: observed.identifier))
        return response
    }

    private func note(_ observed: ObservedRequest, _ response: Response?) {
        observed.trace.stages.end(.reply)
        let status = response?.head.status.code
        let isControl = observed.isControl
        metrics.count(observed.trace.facts, observed.trace.stages, status: status, isControl: isControl)
        log?.append(
            AccessLogLine(
                identifier: observed.identifier, method: observed.method, version: observed.version,
                isEncrypted: observed.isEncrypted, peer: observed.peer, isControl: isControl, trace: observed.trace,
                status: status, reasonPhrase: response?.head.status.reasonPhrase ?? "",
                byteCount: observed.method == .head ? 0 : response?.body.count ?? 0))
    }
}

/// What the log and the metrics need of a request in flight.
private struct ObservedRequest: Sendable {
    let identifier: String
    let trace: RequestTrace
    let method: HTTPRequest.Method
    let version: HTTPVersion
    let isEncrypted: Bool
    let peer: String?
    let isControl: Bool

    init(_ request: Request, _ identifier: String, _ trace: RequestTrace) {
        self.identifier = identifier
        self.trace = trace
        method = request.head.method
        version = request.version
        isEncrypted = request.head.scheme == "https"
        peer = request.peer?.address
        isControl = request.head.path?.hasPrefix(RequestSeries.controlPrefix) == true
    }
}

extension HTTPField.Name {
    /// `X-Request-Id`: by which the access log knows the request.
    static let requestIdentifier: HTTPField.Name = {
        guard let name = HTTPField.Name("X-Request-Id") else { preconditionFailure("a token of RFC 9110") }
        return name
    }()
}
