import Dispatch
import HTTP
import Synchronization

/// What every connection of one server shares.
final class ServerContext: Sendable {
    let configuration: HTTPServerConfiguration
    let handler: Handler
    let refusalResponse: RefusalResponse
    let clock: @Sendable () -> Int64
    /// Connections that have been accepted and whose descriptors are not yet given up.
    let connectionCount = Atomic<Int>(0)

    init(
        configuration: HTTPServerConfiguration, handler: @escaping Handler,
        refusalResponse: @escaping RefusalResponse, clock: @escaping @Sendable () -> Int64
    ) {
        self.configuration = configuration
        self.handler = handler
        self.refusalResponse = refusalResponse
        self.clock = clock
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
