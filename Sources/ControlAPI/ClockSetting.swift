internal import HTTP
internal import JSON
internal import Values

/// What the clock is to show.
enum ClockSetting: Sendable {
    /// This instant, now; it then runs on.
    case instant(Instant)
    /// So many seconds more than the machine's clock, or less.
    case offset(seconds: Int64)
    /// What it would show if it had not been set.
    case start

    /// The offsets that can lead to an instant that replies can write.
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
