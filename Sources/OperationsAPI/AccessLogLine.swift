internal import ApplePay
internal import HTTP
internal import HTTPTypes
internal import JSON
internal import Access
internal import Payments
internal import Values

/// The access log's line for one request. It contains no path, query, header field or content; names that the peer chose
/// are masked.
struct AccessLogLine: Sendable {
    let identifier: String
    let method: HTTPRequest.Method
    let version: HTTPVersion
    let isEncrypted: Bool
    let peer: String?
    let isControl: Bool
    /// The facts about the request.
    let trace: RequestTrace
    /// The response's status; nil if no response was sent.
    let status: Int?
    /// The status in words; empty if no response was sent.
    let reasonPhrase: String
    /// Of the response's content.
    let byteCount: Int

    private static let allStages = Stage.allCases

    /// The methods that may be shown. Any other method is untrusted text of the peer.
    private static let methods: Set<HTTPRequest.Method> = [
        .connect, .delete, .get, .head, .options, .patch, .post, .put, .trace,
    ]

    /// The method, or `other`.
    var shownMethod: String { Self.methods.contains(method) ? method.rawValue : "other" }

    /// Writes the line as JSON, with its end.
    ///
    /// - Parameter instant: converts a reading of the monotonic clock to system time.
    func write(to log: inout JSONWriter, at instant: (UInt64) -> Instant) {
        let facts = trace.facts
        let series = RequestSeries(facts, isControl: isControl)
        func write(_ name: StaticString, _ text: String?) { log.member(name, text) }
        func write(_ name: StaticString, _ number: Int?) {
            if let number { log.member(name, Int64(number)) }
        }
        log.beginObject()
        write("time", instant(trace.stages.begin).description)
        write("id", identifier)
        write("peer", peer)
        write("protocol", version.rawValue)
        if isEncrypted {
            log.member("tls")
            log.write(.bool(true))
        }
        write("method", shownMethod)
        if series != .unknown { write("route", series.route) }
        write("merchant", facts.merchant.map(Self.shown))
        write("order", facts.order.map(Self.shown))
        write("transaction", facts.transaction.map(Self.shown))
        write("apiOperation", facts.operation?.name)
        write("result", facts.result?.rawValue)
        write("gatewayCode", facts.gatewayCode?.rawValue)
        write("tokenStep", facts.refusedStep)
        if !facts.notices.isEmpty {
            log.member("notices")
            log.write(.array(facts.notices.map { .string($0) }))
        }
        write("status", status)
        write("outcome", RequestOutcome(facts.result, status: status).name)
        write("bytes", byteCount)
        write("microseconds", Int(clamping: trace.stages.total / 1000))
        log.member("stages")
        log.beginObject()
        for stage in Self.allStages where trace.stages[stage] > 0 {
            log.write(name: stage.name)
            log.write(Int64(clamping: trace.stages[stage] / 1000))
        }
        log.endObject()
        log.endObject()
        log.endLine()
    }

    /// A name of a peer's choice, masked and cut.
    static func masked(_ name: String) -> String { PeerText.shown(name, cutTo: RequestTrace.nameCharactersMax) }

    /// A name of a peer's choice: masked, and without what a terminal would take for a command.
    private static func shown(_ name: String) -> String {
        let shown = masked(name)
        guard shown.unicodeScalars.contains(where: \.isControl) else { return shown }
        return String(String.UnicodeScalarView(shown.unicodeScalars.map { $0.isControl ? "\u{FFFD}" : $0 }))
    }
}

extension Unicode.Scalar {
    /// Whether it is a control character (C0, DEL and C1 of ISO/IEC 6429) or a mark that changes the text direction.
    fileprivate var isControl: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
