public import Access
public import HTTP
internal import HTTPTypes
internal import JSON
internal import Payments
public import Values

/// A wrapper for the handler of the merchants' API: applies the scripted treatment of replies, and logs every request
/// with its reply.
public struct ControlledHandler: Sendable {
    private let requests: RequestLog
    private let known: KnownMembers
    private let events: EventLog
    private let now: @Sendable () -> Instant
    private let pause: Pause

    /// Wraps the merchants' API.
    ///
    /// - Parameters:
    ///   - events: publishes the orders that requests change.
    ///   - known: the members whose values the log shows for a refused request.
    ///   - now: the gateway's clock, for the log.
    ///   - pause: delays a reply.
    public init(
        requests: RequestLog, events: EventLog, showing known: KnownMembers, now: @escaping @Sendable () -> Instant,
        pause: @escaping Pause = ScriptedAcquirer.sleep
    ) {
        self.requests = requests
        self.events = events
        self.known = known
        self.now = now
        self.pause = pause
    }

    /// Answers one request with the handler of the merchants' API.
    ///
    /// - Parameter isOperators: whether the operator makes the request through the control API.
    public func answer(
        _ request: Request, tracing trace: RequestTrace, isOperators: Bool = false,
        by handler: (Request, RequestTrace) -> Answer
    ) -> Answer {
        let noted = NotedRequest(request, trace, at: now(), known, isOperators: isOperators)
        trace.keepContent()
        switch handler(request, trace) {
        case .now(let response):
            keep(noted, response, .sent)
            return .now(response)
        case .later(let operation):
            return .laterOrCut { await self.reply(to: noted, operation) }
        case .laterOrCut(let operation):
            return .laterOrCut { await self.reply(to: noted, operation) }
        }
    }

    /// Carries out an operation, then sends, delays or drops its reply as the script of the operation says.
    private func reply(to noted: NotedRequest, _ operation: () async -> Response?) async -> Response? {
        let steered = SteeredReply()
        let response = await SteeredReply.$current.withValue(steered) { await operation() }
        let script = steered.script
        keep(noted, response, response == nil ? .cut : script?.reply ?? .sent)
        guard let script else { return response }
        events.publish(.outcomes)
        await pause(script.millisecondsAfter)
        return script.reply == .cut ? nil : response
    }

    /// Adds a request to the log, and publishes the order that it has changed.
    private func keep(_ noted: NotedRequest, _ response: Response?, _ reply: OutcomeScript.Reply) {
        requests.keep(noted.entry(response, reply))
        if let change = noted.change { events.publish(.order) { _ in change } }
    }
}

/// A merchant's request while it is in flight.
private struct NotedRequest: Sendable {
    private let request: Request
    private let trace: RequestTrace
    private let known: KnownMembers
    private let instant: Instant
    private let merchant: String?
    private let order: String?
    private let isOperators: Bool
    private let begin = ContinuousClock.now

    init(
        _ request: Request, _ trace: RequestTrace, at instant: Instant, _ known: KnownMembers, isOperators: Bool
    ) {
        self.isOperators = isOperators
        self.request = request
        self.trace = trace
        self.known = known
        self.instant = instant
        let segments = (try? PathSegments(request.head.path ?? ""))?.segments ?? []
        func value(_ name: String, at index: Int) -> String? {
            segments.count > index && segments[index - 1] == name ? segments[index] : nil
        }
        merchant = value("merchant", at: 5)
        order = value("order", at: 7)
    }

    /// The order that a transaction in the reply has changed, as JSON; nil if there is none.
    var change: [UInt8]? {
        let facts = trace.facts
        guard let code = facts.gatewayCode, let merchant = facts.merchant, let order = facts.order else { return nil }
        var change: JSONObject = [
            "gatewayCode": .string(code.rawValue), "merchant": .string(PeerText.shown(merchant)),
            "order": .string(PeerText.shown(order)),
        ]
        change["transaction"] = facts.transaction.map { .string(PeerText.shown($0)) }
        return JSONValue.object(change).serialized()
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
        if let notices = response?.head.headerFields[values: .tollgateNotice], !notices.isEmpty {
            log.write(name: "notices")
            log.beginArray()
            for notice in notices { log.write(notice) }
            log.endArray()
        }
        log.write(name: "milliseconds")
        log.write(Int64((ContinuousClock.now - begin) / .milliseconds(1)))
        write("method", PeerText.shown(request.head.method.rawValue))
        write("order", order.map { PeerText.shown($0) })
        write("path", PeerText.shown(request.head.path ?? ""))
        write("peer", request.peer?.address)
        if isOperators { write("performedBy", "CONTROL") }
        if let response { response.body.withUnsafeBytes { RequestMask.write("reply", $0, to: &log) } }
        write("report", response?.head.headerFields[.tollgateReport])
        // The members of an accepted request are all known.
        let isAccepted = response?.head.status.kind == .successful
        request.content.withUnsafeBytes {
            RequestMask.write("request", $0, trace.content, showing: isAccepted ? nil : known, to: &log)
        }
        if reply != .sent { write("sent", reply.rawValue) }
        if let response {
            log.write(name: "status")
            log.write(Int64(response.head.status.code))
        }
        write("time", instant.description)
        log.endObject()
        return RequestLog.Entry(
            merchant: merchant ?? trace.facts.merchant, order: order, status: response.map { Int($0.head.status.code) },
            outcome: trace.facts.gatewayCode?.rawValue, text: log.bytes)
    }
}

extension HTTPField.Name {
    /// `Tollgate-Report`: the id of a refused token's report.
    fileprivate static let tollgateReport: HTTPField.Name = {
        guard let name = HTTPField.Name("Tollgate-Report") else { preconditionFailure("a token of RFC 9110") }
        return name
    }()
}
