public import HTTP
internal import HTTPTypes
public import Access
internal import Payments

/// A wrapper for the APIs of a gateway: gives each request an identifier, counts the request, and logs it in the access
/// log.
public final class ObservedHandler: Sendable {
    private let metrics: RequestMetrics
    private let log: AccessLog?
    private let monotonic: @Sendable () -> UInt64
    private let identifiers = RequestIdentifiers()

    /// Creates a handler that counts in `metrics` and writes to `log`, if there is one.
    ///
    /// - Parameter monotonic: nanoseconds on the clock with which the server measures a request's arrival.
    public init(_ metrics: RequestMetrics, log: AccessLog?, monotonic: @escaping @Sendable () -> UInt64) {
        self.metrics = metrics
        self.log = log
        self.monotonic = monotonic
    }

    /// Answers a request with `handler`, which records the facts about the request in a trace.
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

/// The data about a request in flight for the log and the metrics.
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
    /// `X-Request-Id`: the request's identifier in the access log.
    static let requestIdentifier: HTTPField.Name = {
        guard let name = HTTPField.Name("X-Request-Id") else { preconditionFailure("a token of RFC 9110") }
        return name
    }()
}
