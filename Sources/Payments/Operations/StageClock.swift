internal import Synchronization

/// The stages of a request whose durations are measured. Time between two stages is added to the stage that ends
/// next.
public enum Stage: Int, CaseIterable, Sendable {
    /// Receiving the request, from its first byte to its last.
    case receive
    /// Authentication.
    case authenticate
    /// Decoding the request.
    case decode
    /// Reading the transaction and the order from the store.
    case recall
    /// Opening a payment token.
    case open
    /// Deciding the request, with the acquirer's reply.
    case decide
    /// Writing the transaction durably.
    case commit
    /// Writing the reply.
    case reply

    /// The stage's name, for logs and metrics.
    public var name: String {
        switch self {
        case .receive: "receive"
        case .authenticate: "authenticate"
        case .decode: "decode"
        case .recall: "recall"
        case .open: "open"
        case .decide: "decide"
        case .commit: "commit"
        case .reply: "reply"
        }
    }
}

/// The durations of one request's stages.
///
/// Only one task at a time works on a request and ends its stages, so no addition needs to be atomic. Each number
/// alone is atomic: a concurrent reader sees a partial state.
public struct StageClock: ~Copyable, Sendable {
    private let now: (@Sendable () -> UInt64)?
    /// The time of the request's arrival in nanoseconds on the given clock; 0 without a clock.
    public let begin: UInt64
    private let latest: Atomic<UInt64>
    private let stageNanoseconds: InlineArray<8, Atomic<UInt64>>

    /// Creates a clock that measures nothing.
    public init() { self.init(now: nil, begin: 0) }

    /// Creates a clock that starts at a request's arrival, or now if the arrival is unknown.
    ///
    /// - Parameters:
    ///   - now: returns nanoseconds on the same clock as `arrival`; called once for each stage that ends.
    ///   - arrival: the time at which the request's first byte was read.
    public init(now: @escaping @Sendable () -> UInt64, arrival: UInt64?) {
        let instant = now()
        self.init(now: now, begin: arrival ?? instant)
        add(instant, to: .receive)
    }

    private init(now: (@Sendable () -> UInt64)?, begin: UInt64) {
        self.now = now
        self.begin = begin
        latest = Atomic(begin)
        stageNanoseconds = InlineArray { _ in Atomic(0) }
    }

    /// Ends a stage: adds the time since the end of the previous stage to it. A stage may end several times.
    public func end(_ stage: Stage) {
        guard let now else { return }
        add(now(), to: stage)
    }

    /// The duration of a stage in nanoseconds; 0 if the request never reached it.
    public subscript(stage: Stage) -> UInt64 { stageNanoseconds[stage.rawValue].load(ordering: .relaxed) }

    /// The time from the request's arrival to the end of the last stage, in nanoseconds.
    public var total: UInt64 { latest.load(ordering: .relaxed) - begin }

    private func add(_ instant: UInt64, to stage: Stage) {
        let before = latest.load(ordering: .relaxed)
        // The arrival may have been read from a clock that is slightly ahead.
        guard instant > before else { return }
        latest.store(instant, ordering: .relaxed)
        stageNanoseconds[stage.rawValue].store(self[stage] + (instant - before), ordering: .relaxed)
    }
}
