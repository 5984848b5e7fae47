internal import Dispatch

/// A deadline on the monotonic clock.
struct Deadline: Comparable, Sendable {
    private let uptimeNanoseconds: UInt64

    /// A deadline this many milliseconds from now.
    init(afterMilliseconds milliseconds: Int) {
        precondition(milliseconds >= 0, "a deadline is not in the past when it is set")
        uptimeNanoseconds = DispatchTime.now().uptimeNanoseconds + UInt64(milliseconds) * 1_000_000
    }

    var hasPassed: Bool { DispatchTime.now().uptimeNanoseconds >= uptimeNanoseconds }

    static func < (one: Deadline, other: Deadline) -> Bool { one.uptimeNanoseconds < other.uptimeNanoseconds }
}
