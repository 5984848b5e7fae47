internal import ApplePay
public import HTTP
internal import HTTPTypes
public import Access
internal import Payments
internal import Synchronization

/// Counts requests by operation, outcome and duration.
///
/// Counting takes a few additions and no lock.
public final class RequestMetrics: Sendable {
    /// A counter that any thread may increase.
    private final class Counter: Sendable {
        private let number = Atomic<UInt64>(0)
        func count() { number.add(1, ordering: .relaxed) }
        var value: UInt64 { number.load(ordering: .relaxed) }
    }

    /// A histogram of durations.
    private final class Durations: Sendable {
        let histogram = LatencyHistogram()
    }

    /// The counts of one series.
    private struct Count {
        /// Requests by outcome.
        let outcomes = RequestOutcome.allCases.map { _ in Counter() }
        /// The durations of the requests.
        let durations = Durations()
    }

    /// All series, in the order of display.
    private let series: [RequestSeries]
    private let counts: [RequestSeries: Count]
    /// The durations of requests in each stage.
    private let stages = Stage.allCases.map { _ in Durations() }
    private let refusedTokens = TokenStep.allCases.map { _ in Counter() }
    private let refusedStatuses = statuses.map { _ in Counter() }

    /// The statuses with which a server refuses requests before any handler sees them; 0 represents all others.
    private static let statuses = [0, 400, 404, 405, 408, 411, 413, 414, 415, 417, 421, 431, 500, 501, 503]

    private static let allStages = Stage.allCases

    /// Creates metrics with all counts 0.
    ///
    /// - Parameter operations: the operations of all APIs. A request with another operation is counted as one for no path
    ///   of any API.
    public init(_ operations: [RequestOperation]) {
        series = RequestSeries.all(of: operations)
        counts = Dictionary(uniqueKeysWithValues: series.map { ($0, Count()) })
    }

    /// Counts an answered request, or one whose connection was cut if there is no status.
    func count(_ facts: RequestTrace.Facts, _ clock: borrowing StageClock, status: Int?, isControl: Bool) {
        let outcome = RequestOutcome(facts.result, status: status)
        if let count = counts[RequestSeries(facts, isControl: isControl)] ?? counts[.unknown] {
            count.outcomes[outcome.rawValue].count()
            count.durations.histogram.observe(clock.total)
        }
        for stage in Self.allStages {
            let duration = clock[stage]
            if duration > 0 { stages[stage.rawValue].histogram.observe(duration) }
        }
        if let step = facts.refusedStep, let position = TokenStep.allCases.firstIndex(where: { $0.rawValue == step }) {
            refusedTokens[position].count()
        }
    }

    /// Wraps a function for the responses to requests that are refused before any handler sees them, and counts each
    /// response.
    public func counting(_ refusalResponse: @escaping RefusalResponse) -> RefusalResponse {
        { status, path in
            self.refusedStatuses[Self.statuses.firstIndex(of: status.code) ?? 0].count()
            return refusalResponse(status, path)
        }
    }

    /// Writes the metrics.
    func write(to text: inout MetricsText) {
        var counts: [(MetricsText.Labels, String)] = []
        var durations: [(MetricsText.Labels, MetricsText.Histogram)] = []
        for series in series {
            guard let count = self.counts[series] else { continue }
            let labels = [("route", series.route), ("operation", series.operation)]
            for outcome in RequestOutcome.allCases {
                let number = count.outcomes[outcome.rawValue].value
                if number > 0 { counts.append((labels + [("outcome", outcome.name)], String(number))) }
            }
            let duration = count.durations.histogram.snapshot
            if duration.count > 0 { durations.append((labels, duration)) }
        }
        text.add("tollgate_requests_total", .counter, "Requests that were answered, or cut.", counts)
        text.add(
            "tollgate_request_duration_seconds",
            "From a request's first byte until its answer is known.", durations)
        text.add(
            "tollgate_stage_duration_seconds", "Time that a request spent in a stage that it reached.",
            Stage.allCases.map { ([("stage", $0.name)], stages[$0.rawValue].histogram.snapshot) })
        text.add(
            "tollgate_token_refusals_total", .counter, "Payment tokens refused, by the first step that refused.",
            TokenStep.allCases.enumerated().map {
                ([("step", $1.rawValue)], String(refusedTokens[$0].value))
            })
        text.add(
            "tollgate_http_refusals_total", .counter,
            "Requests refused before any API saw them: malformed, too large, too slow or too many.",
            Self.statuses.enumerated().map {
                ([("status", $1 == 0 ? "other" : String($1))], String(refusedStatuses[$0].value))
            })
    }
}
