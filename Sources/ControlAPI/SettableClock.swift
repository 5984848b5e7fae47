internal import Synchronization
public import Values

/// A clock that runs like the machine's, ahead of it or behind it by an offset that can be changed while it runs.
public final class SettableClock: Sendable {
    /// The instants that the clock can be set to, 2000-01-01 to 9998-12-31: every reply can write those and what it
    /// derives from them.
    static let range =
        Instant(secondsSinceEpoch: 946_684_800)...Instant(secondsSinceEpoch: 253_370_764_799)
    /// The same in words.
    static let rangeInWords = "The clock shows the years 2000 to 9998"

    private let machine: @Sendable () -> Instant
    private let offsetMillisecondsAtStart: Int64
    private let offset: Atomic<Int64>
    private let didChange: @Sendable (_ offsetMilliseconds: Int64) -> Void

    /// A clock.
    ///
    /// - Parameters:
    ///   - machine: the machine's clock.
    ///   - offsetMilliseconds: how far ahead of it the clock starts, negative behind.
    ///   - didChange: called with the offset whenever it was set.
    public init(
        machine: @escaping @Sendable () -> Instant, offsetMilliseconds: Int64,
        didChange: @escaping @Sendable (_ offsetMilliseconds: Int64) -> Void = { _ in }
    ) {
        self.machine = machine
        offsetMillisecondsAtStart = offsetMilliseconds
        offset = Atomic(offsetMilliseconds)
        self.didChange = didChange
    }

    /// What the clock shows.
    public func now() -> Instant { machine().advanced(byMilliseconds: offsetMilliseconds) }

    /// How far the clock is ahead of the machine's, negative behind.
    public var offsetMilliseconds: Int64 { offset.load(ordering: .relaxed) }

    /// Makes the clock show `instant` now.
    func show(_ instant: Instant) {
        set(instant.millisecondsSinceEpoch - machine().millisecondsSinceEpoch)
    }

    /// Sets how far the clock is ahead of the machine's; false if it would show an instant out of ``range``.
    func setOffset(milliseconds: Int64) -> Bool {
        let (shown, isOverflown) = machine().millisecondsSinceEpoch.addingReportingOverflow(milliseconds)
        guard !isOverflown, Self.range.contains(Instant(millisecondsSinceEpoch: shown)) else { return false }
        set(milliseconds)
        return true
    }

    /// Goes back to how the clock started.
    func reset() { set(offsetMillisecondsAtStart) }

    private func set(_ milliseconds: Int64) {
        offset.store(milliseconds, ordering: .relaxed)
        didChange(milliseconds)
    }
}
