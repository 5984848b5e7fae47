public import ApplePay
public import HTTP
internal import HTTPTypes
internal import JSON
internal import Payments

/// The merchants' API with a hand on it: operations get the latency and the end that were asked for them, and every
/// request is noted with its reply.
public struct ControlledHandler: Sendable {
    private let outcomes: OutcomeRegister
    private let requests: RequestLog
    private let now: @Sendable () -> Instant

    /// A hand on the merchants' API.
    ///
    /// - Parameter now: the gateway's clock, for the log.
    public init(outcomes: OutcomeRegister, requests: RequestLog, now: @escaping @Sendable () -> Instant) {
        self.outcomes = outcomes
        self.requests = requests
        self.now = now
    }

    /// Answers one request by the handler of the merchants' API.
    public func answer(_ request: Request, by handler: (Request) -> Answer) -> Answer {
        let noted = NotedRequest(request, at: now())
        switch handler(request) {
        case .now(let response):
            requests.keep(noted.entry(response, .sent))
            return .now(response)
        case .later(let operation):
            return answer(noted, operation)
        case .laterOrCut(let operation):
            return .laterOrCut {
                let response = await operation()
                self.requests.keep(noted.entry(response, response == nil ? .cut : .sent))
                return response
            }
        }
    }

    private func answer(_ noted: NotedRequest, _ operation: @escaping @Sendable () async -> Response) -> Answer {
        guard let key = noted.operation, let script = outcomes.claim(for: key) else {
            return .later {
                let response = await operation()
                self.requests.keep(noted.entry(response, .sent))
                return response
            }
        }
        return .laterOrCut {
            await Self.wait(milliseconds: script.millisecondsBefore)
            let response = await operation()
            // A transaction that was carried out is a 201, whatever its outcome.
            let isSteered = self.outcomes.settle(key, isCarriedOut: response.head.status == .created)
            guard isSteered else {
                self.requests.keep(noted.entry(response, .sent))
                return response
            }
            self.requests.keep(noted.entry(response, script.reply))
            await Self.wait(milliseconds: script.millisecondsAfter)
            return script.reply == .cut ? nil : response
        }
    }

    private static func wait(milliseconds: Int) async {
        guard milliseconds > 0 else { return }
        // It ends early only if the task is cancelled, and nobody cancels a request's.
        try? await Task.sleep(for: .milliseconds(milliseconds))
    }
}

/// A merchant's request while it is under way.
private struct NotedRequest: Sendable {
    /// The transaction that it asks for, if it is an operation on one.
    let operation: TransactionKey?
    private let request: Request
    private let instant: Instant
    private let merchant: String?
    private let order: String?

    init(_ request: Request, at instant: Instant) {
        self.request = request
        self.instant = instant
        let segments = (try? PathSegments(request.head.path ?? ""))?.segments ?? []
        func value(_ name: String, at index: Int) -> String? {
            segments.count > index && segments[index - 1] == name ? segments[index] : nil
        }
        merchant = value("merchant", at: 5)
        order = value("order", at: 7)
        operation =
            if request.head.method == .put, segments.count == 10, let merchant, let order,
                let transaction = value("transaction", at: 9), let key = try? OrderKey(merchant, order),
                let transaction = try? TransactionID(transaction)
            {
                TransactionKey(order: key, transaction: transaction)
            } else {
                nil
            }
    }

    /// The request with its reply, masked.
    func entry(_ response: Response?, _ reply: OutcomeScript.Reply) -> RequestLog.Entry {
        var log = JSONWriter()
        func write(_ name: String, _ text: String?) {
            guard let text else { return }
            log.write(name: name)
            log.write(text)
        }
        log.beginObject()
        write("merchant", merchant.map { PeerText.shown($0) })
        write("method", PeerText.shown(request.head.method.rawValue))
        write("order", order.map { PeerText.shown($0) })
        write("path", PeerText.shown(request.head.path ?? ""))
        write("peer", request.peer?.address)
        if let response { RequestMask.write("reply", response.body, to: &log) }
        write("report", response?.head.headerFields[.tollgateReport])
        RequestMask.write("request", request.body, to: &log)
        if reply != .sent { write("sent", reply.rawValue) }
        if let response {
            log.write(name: "status")
            log.write(Int64(response.head.status.code))
        }
        write("time", instant.description)
        log.endObject()
        return RequestLog.Entry(merchant: merchant, order: order, text: log.bytes)
    }
}

extension HTTPField.Name {
    /// `Tollgate-Report`: under which id the report of a refused token is kept.
    fileprivate static let tollgateReport: HTTPField.Name = {
        guard let name = HTTPField.Name("Tollgate-Report") else { preconditionFailure("a token of RFC 9110") }
        return name
    }()
}

extension OrderKey {
    fileprivate init(_ merchant: String, _ order: String) throws(MalformedIdentifier) {
        self.init(merchant: try MerchantID(merchant), order: try OrderID(order))
    }
}
