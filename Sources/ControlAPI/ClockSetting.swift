internal import HTTP
internal import JSON
internal import Values

/// The time to which the clock is set.
enum ClockSetting: Sendable {
    /// Shows this instant now, and runs on from it.
    case instant(Instant)
    /// Runs this many seconds ahead of the system clock, or behind it if negative.
    case offset(seconds: Int64)
    /// Shows the time that it would show if it had never been set.
    case start

    /// The offsets that can result in an instant that replies can represent.
    private static let offsetSeconds: ClosedRange<Int64> = -300_000_000_000...300_000_000_000

    /// Reads `{"instant":…}`, `{"offsetSeconds":…}` or `null`.
    init(_ content: WipedBuffer) throws(ControlFault) {
        guard !(try ControlFields.document(content).root.isNull) else {
            self = .start
            return
        }
        let fields = try ControlFields(content, ["instant", "offsetSeconds"])
        switch (try fields.instant("instant"), try fields.integer("offsetSeconds", in: Self.offsetSeconds)) {
        case (.some(let instant), nil):
            guard SettableClock.range.contains(instant) else {
                throw fields.fault("instant", SettableClock.rangeInWords)
            }
            self = .instant(instant)
        case (nil, .some(let seconds)): self = .offset(seconds: seconds)
        default: throw ControlFault("Name instant or offsetSeconds; null alone goes back to how the clock started")
        }
    }

    /// Sets a clock.
    func apply(to clock: SettableClock) throws(ControlFault) {
        switch self {
        case .instant(let instant): clock.show(instant)
        case .offset(let seconds):
            guard clock.setOffset(milliseconds: seconds * 1000) else {
                throw ControlFault(field: "offsetSeconds", SettableClock.rangeInWords)
            }
        case .start: clock.reset()
        }
    }
}
