import Dispatch
import Glibc

/// The cost of one kind of work.
struct Measurement {
    let name: String
    /// CPU time per piece of work, in microseconds: the median of several rounds on one thread.
    let cpuMicroseconds: Double
    /// Pieces of work per second of wall time on one core.
    let perSecondOnOneCore: Double
    /// Pieces of work per second of wall time with one thread for each core.
    let perSecondOnAllCores: Double
}

/// Measures several kinds of work alternately, so that changes of the machine's speed affect all of them equally.
struct Stopwatch {
    /// The number of rounds.
    let rounds: Int
    /// How long a piece of work is repeated in a round, in seconds.
    let roundSeconds: Double

    /// A kind of work: `body` does piece number n.
    struct Work: Sendable {
        let name: String
        let body: @Sendable (Int) -> Void
    }

    /// Measures each kind of work; the order of the results is that of `works`.
    func measure(_ works: [Work]) -> [Measurement] {
        var samples = works.map { _ in [Sample]() }
        var parallel = works.map { _ in [Double]() }
        for work in works { _ = Self.sample(work, seconds: roundSeconds / 4) }
        for _ in 0..<rounds {
            for (index, work) in works.enumerated() {
                samples[index].append(Self.sample(work, seconds: roundSeconds))
                parallel[index].append(perSecondOnAllCores(work))
            }
        }
        return works.indices.map { index in
            Measurement(
                name: works[index].name, cpuMicroseconds: samples[index].map(\.cpuMicroseconds).median,
                perSecondOnOneCore: samples[index].map(\.perSecond).median,
                perSecondOnAllCores: parallel[index].median)
        }
    }

    private struct Sample {
        let cpuMicroseconds: Double
        let perSecond: Double
    }

    /// CPU time per piece of work, in microseconds, on the calling thread.
    ///
    /// - Parameter seconds: how long the piece of work is repeated.
    static func cpuMicroseconds(_ work: Work, seconds: Double) -> Double {
        sample(work, seconds: seconds).cpuMicroseconds
    }

    private static func sample(_ work: Work, seconds: Double) -> Sample {
        let cpuStart = Self.seconds(CLOCK_THREAD_CPUTIME_ID)
        let start = Self.seconds(CLOCK_MONOTONIC)
        var count = 0
        repeat {
            for _ in 0..<16 {
                work.body(count)
                count += 1
            }
        } while Self.seconds(CLOCK_MONOTONIC) - start < seconds
        let wall = Self.seconds(CLOCK_MONOTONIC) - start
        return Sample(
            cpuMicroseconds: (Self.seconds(CLOCK_THREAD_CPUTIME_ID) - cpuStart) / Double(count) * 1e6,
            perSecond: Double(count) / wall)
    }

    private func perSecondOnAllCores(_ work: Work) -> Double {
        let threads = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        let rates = UnsafeMutableBufferPointer<Double>.allocate(capacity: threads)
        defer { rates.deallocate() }
        // Each iteration writes an element of its own.
        nonisolated(unsafe) let shared = rates
        DispatchQueue.concurrentPerform(iterations: threads) { thread in
            shared[thread] = Self.sample(work, seconds: roundSeconds).perSecond
        }
        return rates.reduce(0, +)
    }

    private static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

}
