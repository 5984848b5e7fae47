import Glibc
import Histogram

/// Keep-alive connections to one server, driven by the calling thread. Each connection always has its maximum number of
/// requests in flight: when one is answered, it sends the next.
final class LoadGenerator {
    /// The result of a run.
    struct Run {
        let seconds: Double
        let requests: Int
        /// The times from the first byte of a request sent to the last byte of its answer received, in nanoseconds.
        let latencies: Histogram<UInt64>
    }

    private static let answerMillisecondsMax: Int32 = 20_000
    private let port: UInt16
    private let kind: LoadProtocol
    private let poller: LoadPoller
    private let buffers = LoadBuffers()
    private var connections: [LoadConnection] = []

    /// Connects to a port of 127.0.0.1.
    init(port: UInt16, _ kind: LoadProtocol = .http1, connections count: Int) throws {
        self.port = port
        self.kind = kind
        poller = try LoadPoller()
        try addConnections(count)
    }

    var connectionCount: Int { connections.count }

    /// Opens further connections, and completes the handshakes of those with TLS.
    func addConnections(_ count: Int) throws {
        for _ in 0..<count {
            let connection = try LoadConnection(port: port, kind, buffers)
            try poller.add(connection.descriptor, number: connections.count)
            connections.append(connection)
        }
        while connections.contains(where: { !$0.isReady }) {
            try wait { number in
                try receive(number) { _, _ in throw BenchFailure("an unsolicited response") }
            }
        }
    }

    /// Sends all requests of a batch, and returns when all are answered. They are started in order, and several are in
    /// flight at a time.
    func run(_ batch: RequestBatch) throws -> Run {
        var latencies = Histogram<UInt64>(highestTrackableValue: 60_000_000_000, numberOfSignificantValueDigits: .three)
        var begun = 0
        var answered = 0
        let start = Monotonic.nanoseconds
        for number in connections.indices {
            for _ in 0..<kind.streams where begun < batch.count {
                try begin(batch[begun], number, at: Monotonic.nanoseconds)
                begun += 1
            }
        }
        while answered < batch.count {
            try wait { number in
                let before = answered
                var now: UInt64 = 0
                try receive(number) { request, answer in
                    try request.entry.check(answer)
                    now = Monotonic.nanoseconds
                    latencies.record(now - request.start)
                    answered += 1
                }
                for _ in before..<answered where begun < batch.count {
                    try begin(batch[begun], number, at: now)
                    begun += 1
                }
            }
        }
        return Run(
            seconds: Double(Monotonic.nanoseconds - start) / 1e9, requests: answered, latencies: latencies)
    }

    private func wait(_ bytesArrived: (Int) throws -> Void) throws {
        let hasHappened = try poller.wait(milliseconds: Self.answerMillisecondsMax) { number, hasRoom, hasBytes in
            if hasRoom, try connections[number].flush() { try watch(number, forRoom: false) }
            if hasBytes { try bytesArrived(number) }
        }
        guard hasHappened else { throw BenchFailure("no answer within \(Self.answerMillisecondsMax / 1000) seconds") }
    }

    private func receive(_ number: Int, _ body: (LoadRequest, LoadAnswer) throws -> Void) throws {
        if try !connections[number].receive(buffers, body) { try watch(number, forRoom: true) }
    }

    private func begin(_ entry: RequestBatch.Entry, _ number: Int, at now: UInt64) throws {
        if try !connections[number].begin(LoadRequest(entry: entry, start: now)) { try watch(number, forRoom: true) }
    }

    private func watch(_ number: Int, forRoom: Bool) throws {
        try poller.watch(connections[number].descriptor, number: number, forRoom: forRoom)
    }
}

extension LoadProtocol {
    /// HTTP/1.1 without TLS.
    static let http1 = LoadProtocol(isHTTP2: false, context: nil, streams: 1)
}

/// The monotonic clock.
enum Monotonic {
    static var nanoseconds: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
