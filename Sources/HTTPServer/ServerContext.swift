import Dispatch
import HTTP
import Synchronization

/// What every connection of one server shares.
final class ServerContext: Sendable {
    let configuration: HTTPServerConfiguration
    let handler: Handler
    let refusalResponse: RefusalResponse
    let clock: @Sendable () -> Int64
    /// Connections that are served, until their descriptors are given up.
    let connectionCount = Atomic<Int>(0)
    /// Connections that are told that there are too many.
    let refusedCount = Atomic<Int>(0)

    init(
        configuration: HTTPServerConfiguration, handler: @escaping Handler,
        refusalResponse: @escaping RefusalResponse, clock: @escaping @Sendable () -> Int64
    ) {
        self.configuration = configuration
        self.handler = handler
        self.refusalResponse = refusalResponse
        self.clock = clock
    }

    /// Counts a connection out that is closed.
    func release(isRefused: Bool) {
        if isRefused {
            refusedCount.subtract(1, ordering: .relaxed)
        } else {
            connectionCount.subtract(1, ordering: .relaxed)
        }
    }

    /// Counts a connection in, unless there are too many.
    func admit(to count: borrowing Atomic<Int>, max: Int) -> Bool {
        guard count.add(1, ordering: .relaxed).newValue > max else { return true }
        count.subtract(1, ordering: .relaxed)
        return false
    }
}

/// Instants on the monotonic clock, in nanoseconds.
enum Monotonic {
    static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

    /// The instant some seconds after another; the end of time if that lies beyond it.
    static func after(_ instant: UInt64, seconds: Double) -> UInt64 {
        let nanoseconds = max(0, seconds) * 1e9
        guard nanoseconds < 9e18 else { return .max }
        let (sum, overflow) = instant.addingReportingOverflow(UInt64(nanoseconds))
        return overflow ? .max : sum
    }
}
