import Testing
import Values

@testable import Notifications

/// The pauses between attempts.
struct BackoffTests {
    @Test(arguments: [
        (Int64(1), Int64(1000)), (2, 2000), (3, 4000), (12, 2_048_000), (13, 3_600_000), (14, 3_600_000),
        (1000, 3_600_000), (.max, 3_600_000),
    ])
    func `pauses double up to an hour`(attempts: Int64, milliseconds: Int64) {
        #expect(Backoff.pauseMilliseconds(after: attempts) == milliseconds)
    }

    @Test func `no attempt is made when the time is over`() {
        let added = Instant(secondsSinceEpoch: 1_700_000_000)
        func next(_ retryMilliseconds: Int64) -> Instant? {
            Backoff.nextAttempt(
                after: 3, at: added.advanced(byMilliseconds: 3000), added: added,
                retryMilliseconds: retryMilliseconds)
        }
        #expect(next(7001) == added.advanced(byMilliseconds: 7000))
        #expect(next(7000) == nil)
    }
}
