internal import Access
internal import Payments
internal import Values

extension AccessLogLine {
    private static let operationWidth = 22
    private static let orderWidth = 20
    private static let outcomeWidth = 12

    /// The line for people, with its end: time of day in UTC, operation, order, outcome, reason and milliseconds. Text of a
    /// peer's choice is masked as in JSON, and escaped.
    ///
    /// - Parameter instant: of a reading of the monotonic clock, the machine's time.
    func text(isColoured: Bool, at instant: (UInt64) -> Instant) -> String {
        let facts = trace.facts
        let outcome = RequestOutcome(facts.result, status: status)
        let time = instant(trace.stages.begin).description.dropFirst("2021-09-01T".count).prefix("19:03:10".count)
        let order = facts.order.map { EscapedLine(Self.masked($0)).description } ?? "-"
        let columns = [
            String(time), Self.padded(operationText, Self.operationWidth), Self.padded(order, Self.orderWidth),
            Self.coloured(Self.padded(outcome.name, Self.outcomeWidth), isColoured ? outcome.colour : nil),
            EscapedLine(reason).description, "\(Self.milliseconds(trace.stages.total)) ms",
        ]
        return columns.joined(separator: " ") + "\n"
    }

    /// What was asked for: the operation's name; without one the method, for control's API with its prefix.
    private var operationText: String {
        let facts = trace.facts
        if let operation = facts.operation { return operation.name }
        let method = shownMethod
        return isControl && facts.route == nil ? "\(method) \(RequestSeries.controlPrefix)" : method
    }

    /// Why it ended as it did: the transaction's gatewayCode and the step at which a token was refused; without both the
    /// status. Notices follow.
    private var reason: String {
        let facts = trace.facts
        var parts = [facts.gatewayCode?.rawValue, facts.refusedStep.map { "token refused: \($0)" }].compactMap(\.self)
        if parts.isEmpty || facts.gatewayCode == nil, let status {
            parts.insert(reasonPhrase.isEmpty ? "\(status)" : "\(status) \(reasonPhrase)", at: 0)
        }
        return (parts.isEmpty ? ["connection cut"] : parts + facts.notices).joined(separator: ", ")
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.unicodeScalars.count))
    }

    /// SGR (ECMA-48, 8.3.117) around a text.
    private static func coloured(_ text: String, _ colour: Int?) -> String {
        colour.map { "\u{1B}[\($0)m\(text)\u{1B}[0m" } ?? text
    }

    /// With one decimal, as `12.3`.
    private static func milliseconds(_ nanoseconds: UInt64) -> String {
        let tenths = nanoseconds / 100_000
        return "\(tenths / 10).\(tenths % 10)"
    }
}

extension RequestOutcome {
    /// A foreground colour of SGR: green for done, yellow for the peer's fault, cyan for open, red for the gateway's fault.
    fileprivate var colour: Int {
        switch self {
        case .success: 32
        case .failure, .refused, .unauthorized: 33
        case .pending, .unknown: 36
        case .unavailable, .failed, .cut: 31
        }
    }
}
