internal import Synchronization
public import Values

/// A clock that runs at the rate of the system clock, with an offset that can be changed at any time.
public final class SettableClock: Sendable {
    /// The instants that the clock can show, 2000-01-01 to 9998-12-31. Replies can represent all of them, and the times
    /// derived from them.
    static let range =
        Instant(secondsSinceEpoch: 946_684_800)...Instant(secondsSinceEpoch: 253_370_764_799)
    /// The same range as text.
    static let rangeInWords = "The clock shows the years 2000 to 9998"

    private let machine: @Sendable () -> Instant
    private let offsetMillisecondsAtStart: Int64
    private let offset: Atomic<Int64>
    private let didChange: @Sendable (_ offsetMilliseconds: Int64) -> Void

    /// Creates a clock.
    ///
    /// - Parameters:
    ///   - machine: the system clock.
    ///   - offsetMilliseconds: the initial offset from the system clock; negative if behind.
    ///   - didChange: called with the offset each time it has been set.
    public init(
        machine: @escaping @Sendable () -> Instant, offsetMilliseconds: Int64,
        didChange: @escaping @Sendable (_ offsetMilliseconds: Int64) -> Void = { _ in }
    ) {
        self.machine = machine
        offsetMillisecondsAtStart = offsetMilliseconds
        offset = Atomic(offsetMilliseconds)
        self.didChange = didChange
    }

    /// The time that the clock shows.
    public func now() -> Instant { machine().advanced(byMilliseconds: offsetMilliseconds) }

    /// The offset from the system clock; negative if behind.
    public var offsetMilliseconds: Int64 { offset.load(ordering: .relaxed) }

    /// Sets the clock to show `instant` now.
    func show(_ instant: Instant) {
        set(instant.millisecondsSinceEpoch - machine().millisecondsSinceEpoch)
    }

    /// Sets the offset from the system clock; returns false if the clock would show an instant outside of ``range``.
    func setOffset(milliseconds: Int64) -> Bool {
        let (shown, isOverflown) = machine().millisecondsSinceEpoch.addingReportingOverflow(milliseconds)
        guard !isOverflown, Self.range.contains(Instant(millisecondsSinceEpoch: shown)) else { return false }
        set(milliseconds)
        return true
    }

    /// Resets the offset to its initial value.
    func reset() { set(offsetMillisecondsAtStart) }

    private func set(_ milliseconds: Int64) {
        offset.store(milliseconds, ordering: .relaxed)
        didChange(milliseconds)
    }
}
