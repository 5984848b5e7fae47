public import JSON
public import Payments
internal import Synchronization

/// The facts about one request and the duration of each of its stages, for logs and metrics, which are written when the
/// request is answered.
///
/// Each listener creates a trace for each request, and passes it on with the request.
public final class RequestTrace: Sendable {
    /// The facts of a request, for the log and the metrics.
    public struct Facts: Sendable {
        /// The template that the request's path matches; nil if there is none.
        public var route: RouteTemplate?
        /// The request's operation; nil if it is unknown.
        public var operation: RequestOperation?
        /// The merchant, order and transaction in the request's path, percent-decoded but otherwise as sent. Untrusted:
        /// the peer chose them. They are cut to what is needed to show ``nameCharactersMax``.
        public var merchant: String?
        /// See ``merchant``.
        public var order: String?
        /// See ``merchant``.
        public var transaction: String?
        /// `result` of the transaction in the answer.
        public var result: TransactionResult?
        /// `response.gatewayCode` of that transaction.
        public var gatewayCode: GatewayCode?
        /// The name of the first step at which the request's token was refused.
        public var refusedStep: String?
        /// The notices that the reply carries in addition to its content: ASCII, with secrets masked.
        public var notices: [String] = []

        /// Creates empty facts.
        public init() {}
    }

    /// The part of a request's content that its API has read.
    public enum Content: Sendable {
        /// Nothing was read: the request was refused before, or the content is ignored.
        case unread
        /// The content is not JSON.
        case malformed
        /// The document that the API works with.
        case document(JSONDocument)
    }

    /// The maximum number of characters of a name that are shown; no valid identifier is longer.
    public static let nameCharactersMax = 64

    /// The durations of the request's stages.
    public let stages: StageClock
    // The lock is held for nanoseconds, by one task at a time.
    private let noted = Mutex(Facts())
    private let keptContent = Mutex<Content?>(nil)

    /// Creates a trace of a request that has just been received completely.
    ///
    /// - Parameters:
    ///   - now: nanoseconds on the monotonic clock.
    ///   - arrival: when the first byte of the request was read, on the same clock.
    public init(now: @escaping @Sendable () -> UInt64, arrival: UInt64?) {
        stages = StageClock(now: now, arrival: arrival)
    }

    /// Creates a trace of a request that is not timed.
    package init() { stages = StageClock() }

    /// The facts known so far.
    public var facts: Facts { noted.withLock { $0 } }

    /// The content that the API has read since ``keepContent()``.
    public var content: Content { keptContent.withLock { $0 } ?? .unread }

    /// Keeps the content that the API reads for as long as the trace, so that the sandbox's journal needn't parse it
    /// again.
    public func keepContent() { keptContent.withLock { $0 = .unread } }

    /// Records the content that the API has read, which may contain card data. Without ``keepContent()`` it is not kept.
    public func note(content: Content) { keptContent.withLock { if $0 != nil { $0 = content } } }

    /// Records the result of routing.
    ///
    /// - Parameters:
    ///   - operation: the request's operation; nil if it is unknown, or known only from the content.
    ///   - merchant: the merchant or store in the path; order and transaction are from the path, too.
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

    /// Records the order and the transaction in the request's content.
    public func note(order: String, transaction: String?) {
        noted.withLock { facts in
            facts.order = PeerText.beginning(of: order, shownTo: Self.nameCharactersMax)
            facts.transaction = transaction.map { PeerText.beginning(of: $0, shownTo: Self.nameCharactersMax) }
        }
    }

    /// Records the operation that the request's content specifies.
    public func note(_ operation: RequestOperation) { noted.withLock { $0.operation = operation } }

    /// Records the transaction in the reply.
    public func note(_ transaction: Transaction) {
        noted.withLock { ($0.result, $0.gatewayCode) = (transaction.result, transaction.gatewayCode) }
    }

    /// Adds a notice, unless it is a duplicate or there are `countMax` already.
    func note(ascii notice: String, countMax: Int) {
        noted.withLock { facts in
            guard facts.notices.count < countMax, !facts.notices.contains(notice) else { return }
            facts.notices.append(notice)
        }
    }

    /// Records the name of the step at which a token was refused.
    public func note(refusedStep: String) { noted.withLock { $0.refusedStep = refusedStep } }
}
