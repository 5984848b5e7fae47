import CLinux
import Glibc
import Histogram

/// Keep-alive connections to one server, driven by the calling thread: each has one request under way, and sends the next
/// when that is answered.
final class LoadGenerator {
    /// What a run came to.
    struct Run {
        let seconds: Double
        let requests: Int
        /// From a request's first byte sent to its answer's last received, in nanoseconds.
        let latencies: Histogram<UInt64>
    }

    private static let answerMillisecondsMax: Int32 = 20_000
    private let poller: Int32
    private var connections: [LoadConnection] = []
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)

    /// Connects to a port of 127.0.0.1.
    init(port: UInt16, connections count: Int) throws {
        poller = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard poller >= 0 else { throw BenchFailure(systemCall: "epoll_create1") }
        try addConnections(count, port: port)
    }

    deinit {
        buffer.deallocate()
        close(poller)
    }

    var connectionCount: Int { connections.count }

    /// Opens further connections.
    func addConnections(_ count: Int, port: UInt16) throws {
        for _ in 0..<count {
            let connection = try LoadConnection(port: port)
            try control(EPOLL_CTL_ADD, connection, connections.count, EPOLLIN)
            connections.append(connection)
        }
    }

    private func control(
        _ operation: Int32, _ connection: LoadConnection, _ index: Int, _ events: EPOLL_EVENTS
    ) throws {
        var event = epoll_event()
        event.events = events.rawValue
        event.data.u64 = UInt64(index)
        guard epoll_ctl(poller, operation, connection.descriptor, &event) == 0 else {
            throw BenchFailure(systemCall: "epoll_ctl")
        }
    }

    /// Sends all requests of a batch, in order but for what goes on at once, and returns when each is answered.
    ///
    /// - Parameter connections: how many of the connections are used, the oldest; all if nothing is said.
    func run(_ batch: RequestBatch) throws -> Run {
        var latencies = Histogram<UInt64>(highestTrackableValue: 60_000_000_000, numberOfSignificantValueDigits: .three)
        var begun = 0
        var answered = 0
        let start = Self.nanoseconds
        for index in connections.indices where begun < batch.count {
            try begin(batch[begun], index, at: Self.nanoseconds)
            begun += 1
        }
        try withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: 256) { events in
            while answered < batch.count {
                let count = epoll_wait(poller, events.baseAddress, 256, Self.answerMillisecondsMax)
                guard count != 0 else {
                    throw BenchFailure("no answer within \(Self.answerMillisecondsMax / 1000) seconds")
                }
                guard count > 0 || errno == EINTR else { throw BenchFailure(systemCall: "epoll_wait") }
                for event in events[..<Int(max(0, count))] {
                    let index = Int(event.data.u64)
                    if event.events & EPOLLOUT.rawValue != 0, try connections[index].flush() {
                        try control(EPOLL_CTL_MOD, connections[index], index, EPOLLIN)
                    }
                    guard event.events & ~EPOLLOUT.rawValue != 0,
                        let since = try connections[index].receive(into: buffer)
                    else { continue }
                    let now = Self.nanoseconds
                    latencies.record(now - since)
                    answered += 1
                    if begun < batch.count {
                        try begin(batch[begun], index, at: now)
                        begun += 1
                    }
                }
            }
        }
        return Run(
            seconds: Double(Self.nanoseconds - start) / 1e9, requests: answered, latencies: latencies)
    }

    private func begin(_ request: RequestBatch.Entry, _ index: Int, at now: UInt64) throws {
        try connections[index].begin(request, at: now)
        if try !connections[index].flush() {
            try control(
                EPOLL_CTL_MOD, connections[index], index, EPOLL_EVENTS(rawValue: EPOLLIN.rawValue | EPOLLOUT.rawValue))
        }
    }

    /// The monotonic clock.
    static var nanoseconds: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
