public import JSON
public import Payments
internal import Synchronization

/// What one request turned out to be, and how long it took in each stage: for logs and metrics, which are written when it is
/// answered.
///
/// Each listener makes one for each request, and passes it down with the request.
public final class RequestTrace: Sendable {
    /// The facts of a request, for the log and the metrics.
    public struct Facts: Sendable {
        /// The template that its path matches; nil if it matches none.
        public var route: RouteTemplate?
        /// Its operation; nil if that is unknown.
        public var operation: RequestOperation?
        /// The merchant, order and transaction that its path names, as sent but for percent-encoding: text of a peer's choice,
        /// of which there is only as much as is needed to show ``nameCharactersMax``.
        public var merchant: String?
        /// See ``merchant``.
        public var order: String?
        /// See ``merchant``.
        public var transaction: String?
        /// `result` of the transaction in the answer.
        public var result: TransactionResult?
        /// `response.gatewayCode` of that transaction.
        public var gatewayCode: GatewayCode?
        /// The name of the first step at which its token was refused.
        public var refusedStep: String?
        /// What its reply says beside its content: ASCII, without what may not be shown.
        public var notices: [String] = []

        /// Nothing.
        public init() {}
    }

    /// What its API has read of a request's content.
    public enum Content: Sendable {
        /// Nothing: the request was refused before, or the content is ignored.
        case unread
        /// It is not JSON.
        case malformed
        /// The document that the API works with.
        case document(JSONDocument)
    }

    /// Characters of a name that are shown; no identifier that the API takes is longer.
    public static let nameCharactersMax = 64

    /// How long it took.
    public let stages: StageClock
    // Locked for some nanoseconds each time, by one task after the other.
    private let noted = Mutex(Facts())
    private let keptContent = Mutex<Content?>(nil)

    /// A trace of a request that has just arrived whole.
    ///
    /// - Parameters:
    ///   - now: nanoseconds on the monotonic clock.
    ///   - arrival: when the first byte of the request was read, on the same clock.
    public init(now: @escaping @Sendable () -> UInt64, arrival: UInt64?) {
        stages = StageClock(now: now, arrival: arrival)
    }

    /// A trace of a request whose times nobody asks for.
    package init() { stages = StageClock() }

    /// What is known by now.
    public var facts: Facts { noted.withLock { $0 } }

    /// What the API has read of the content since ``keepContent()``.
    public var content: Content { keptContent.withLock { $0 } ?? .unread }

    /// Keeps what the API reads of the content as long as the trace, so that the sandbox's journal needn't parse it again.
    public func keepContent() { keptContent.withLock { $0 = .unread } }

    /// Notes what the API has read of the content, which may be card data; without ``keepContent()`` it is not kept.
    public func note(content: Content) { keptContent.withLock { if $0 != nil { $0 = content } } }

    /// Notes what a request was routed to.
    ///
    /// - Parameters:
    ///   - operation: what it asks for; nil if that was not understood, or is only known from its content.
    ///   - merchant: the merchant or store that its path names, as order and transaction are.
    public func note(
        _ route: RouteTemplate, _ operation: RequestOperation?, merchant: String?, order: String? = nil,
        transaction: String? = nil
    ) {
        func kept(_ name: String?) -> String? {
            name.map { PeerText.beginning(of: $0, shownTo: Self.nameCharactersMax) }
        }
        noted.withLock { facts in
            (facts.route, facts.operation) = (route, operation)
            (facts.merchant, facts.order, facts.transaction) = (kept(merchant), kept(order), kept(transaction))
        }
    }

    /// Notes the order and the transaction that the content of a request names.
    public func note(order: String, transaction: String?) {
        noted.withLock { facts in
            facts.order = PeerText.beginning(of: order, shownTo: Self.nameCharactersMax)
            facts.transaction = transaction.map { PeerText.beginning(of: $0, shownTo: Self.nameCharactersMax) }
        }
    }

    /// Notes which operation the content of a request asks for.
    public func note(_ operation: RequestOperation) { noted.withLock { $0.operation = operation } }

    /// Notes the transaction that a request is answered with.
    public func note(_ transaction: Transaction) {
        noted.withLock { ($0.result, $0.gatewayCode) = (transaction.result, transaction.gatewayCode) }
    }

    /// Notes a notice, unless it was noted before or there are as many as may be.
    func note(ascii notice: String, countMax: Int) {
        noted.withLock { facts in
            guard facts.notices.count < countMax, !facts.notices.contains(notice) else { return }
            facts.notices.append(notice)
        }
    }

    /// Notes the name of the step at which a token was refused.
    public func note(refusedStep: String) { noted.withLock { $0.refusedStep = refusedStep } }
}
