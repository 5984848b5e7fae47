internal import Synchronization

/// How long each stage of a request takes. Time outside the other stages is counted for the next stage that ends.
public enum Stage: Int, CaseIterable, Sendable {
    /// From the request's first byte until all of it is there.
    case receive
    /// Authentication.
    case authenticate
    /// Understanding what is asked for.
    case decode
    /// Reading what the store has of it.
    case recall
    /// Opening a payment token.
    case open
    /// Judging the request, and the acquirer's answer.
    case decide
    /// Writing the transaction durably.
    case commit
    /// Writing the answer.
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

/// How long one request has taken in each stage.
///
/// One task at a time works on a request and ends its stages, so nothing here is added atomically; each number alone is
/// atomic, and a reader during the request sees some of it.
public struct StageClock: ~Copyable, Sendable {
    private let now: (@Sendable () -> UInt64)?
    /// When the request arrived, in nanoseconds on the clock that was given; 0 if none was.
    public let begin: UInt64
    private let latest: Atomic<UInt64>
    private let stageNanoseconds: InlineArray<8, Atomic<UInt64>>

    /// A clock that measures nothing, for requests whose times nobody asks for.
    public init() { self.init(now: nil, begin: 0) }

    /// A clock that runs from a request's arrival on, or from now on if that is not known.
    ///
    /// - Parameters:
    ///   - now: nanoseconds on the clock by which the arrival was read. Called once for each stage that ends.
    ///   - arrival: when the request's first byte was read.
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

    /// Counts the time since the last stage's end to a stage, which may end several times.
    public func end(_ stage: Stage) {
        guard let now else { return }
        add(now(), to: stage)
    }

    /// Nanoseconds in a stage; 0 if the request never reached it.
    public subscript(stage: Stage) -> UInt64 { stageNanoseconds[stage.rawValue].load(ordering: .relaxed) }

    /// Nanoseconds from the request's arrival until the last stage's end.
    public var total: UInt64 { latest.load(ordering: .relaxed) - begin }

    private func add(_ instant: UInt64, to stage: Stage) {
        let before = latest.load(ordering: .relaxed)
        // An arrival may have been read from a clock that is a little ahead.
        guard instant > before else { return }
        latest.store(instant, ordering: .relaxed)
        stageNanoseconds[stage.rawValue].store(self[stage] + (instant - before), ordering: .relaxed)
    }
}
