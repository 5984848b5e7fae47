import Payments
import Synchronization
import Testing

struct StageClockTests {
    /// A monotonic clock that shows what it is told to.
    private final class Readings: Sendable {
        private let rest: Mutex<[UInt64]>
        init(_ readings: [UInt64]) { rest = Mutex(readings) }
        func next() -> UInt64 { rest.withLock { $0.removeFirst() } }
        var isEmpty: Bool { rest.withLock(\.isEmpty) }
    }

    @Test func `each stage gets the time since the one before it, and again if it ends again`() {
        let readings = Readings([120, 150, 190, 200, 260])
        let clock = StageClock(now: { readings.next() }, arrival: 100)
        for stage in [Stage.authenticate, .recall, .open, .recall] { clock.end(stage) }
        #expect(
            Stage.allCases.map { clock[$0] } == [20, 30, 0, 40 + 60, 10, 0, 0, 0])
        #expect(clock.total == 160)
        #expect(readings.isEmpty)
    }

    @Test func `without an arrival the time runs from when the request is there`() {
        let readings = Readings([120, 150])
        let clock = StageClock(now: { readings.next() }, arrival: nil)
        clock.end(.decode)
        #expect(clock[.receive] == 0)
        #expect(clock.total == 30)
    }

    @Test func `a reading before the latest counts for nothing`() {
        let readings = Readings([90, 95, 130])
        let clock = StageClock(now: { readings.next() }, arrival: 100)
        clock.end(.decode)
        clock.end(.reply)
        #expect(clock[.receive] == 0)
        #expect(clock[.decode] == 0)
        #expect(clock[.reply] == 30)
        #expect(clock.total == 30)
    }

    @Test func `a clock that measures nothing stays at nothing`() {
        let clock = StageClock()
        clock.end(.commit)
        #expect(clock[.commit] == 0)
        #expect(clock.total == 0)
    }
}
