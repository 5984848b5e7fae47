internal import Dispatch
internal import JSON
internal import Synchronization
public import Values

/// Buffers the access log's lines, and writes them in batches on a queue of its own. No request waits for a write: if the
/// buffer is full, new lines are dropped and counted.
public final class AccessLog: Sendable {
    /// The maximum number of buffered lines, each of less than 4 KiB.
    public static let linesMax = 4096
    /// The delay between the first buffered line and the write, so that many lines share a system call.
    private static let gatheringMilliseconds = 50

    private struct State {
        var lines: [AccessLogLine] = []
        /// Whether a write of the buffer is running or scheduled. Initially true, so that nothing is scheduled before
        /// ``begin()``.
        var isWriting = true
        var droppedCount: UInt64 = 0
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "tollgate.log", qos: .utility)
    private let form: AccessLogForm
    private let write: @Sendable (_ lines: [UInt8]) -> Int
    private let monotonic: @Sendable () -> UInt64
    private let machine: @Sendable () -> Instant

    /// Creates an empty log, which only buffers lines until ``begin()``.
    ///
    /// - Parameters:
    ///   - form: how each line is written.
    ///   - monotonic: nanoseconds on the monotonic clock.
    ///   - machine: the system time.
    ///   - write: writes lines, each with its line end, and returns how many of them it could not write. May block.
    public init(
        _ form: AccessLogForm = .json, monotonic: @escaping @Sendable () -> UInt64,
        machine: @escaping @Sendable () -> Instant,
        write: @escaping @Sendable (_ lines: [UInt8]) -> Int
    ) {
        self.form = form
        self.monotonic = monotonic
        self.machine = machine
        self.write = write
    }

    /// Writes the buffered lines, and starts to write further ones.
    public func begin() { queue.async { self.writeGathered() } }

    /// The number of dropped lines.
    public var droppedCount: UInt64 { state.withLock(\.droppedCount) }

    /// Buffers a line, or drops it if the buffer is full.
    func append(_ line: AccessLogLine) {
        let isFirst = state.withLock { state in
            guard state.lines.count < Self.linesMax else {
                state.droppedCount += 1
                return false
            }
            state.lines.append(line)
            defer { state.isWriting = true }
            return !state.isWriting
        }
        guard isFirst else { return }
        queue.asyncAfter(deadline: .now() + .milliseconds(Self.gatheringMilliseconds)) { self.writeGathered() }
    }

    /// Writes the buffered lines, if possible within the time limit.
    public func finish(withinMilliseconds milliseconds: Int) {
        let done = DispatchSemaphore(value: 0)
        queue.async {
            self.writeGathered()
            done.signal()
        }
        _ = done.wait(timeout: .now() + .milliseconds(milliseconds))
    }

    /// Runs on the queue.
    private func writeGathered() {
        let lines = state.withLock { state in
            state.isWriting = false
            var lines: [AccessLogLine] = []
            lines.reserveCapacity(state.lines.count)
            swap(&lines, &state.lines)
            return lines
        }
        guard !lines.isEmpty else { return }
        let droppedCount = write(bytes(of: lines))
        guard droppedCount > 0 else { return }
        state.withLock { $0.droppedCount += UInt64(droppedCount) }
    }

    private func bytes(of lines: [AccessLogLine]) -> [UInt8] {
        let (reading, now) = (monotonic(), machine())
        func instant(_ begin: UInt64) -> Instant {
            now.advanced(byMilliseconds: -Int64((reading - min(begin, reading)) / 1_000_000))
        }
        switch form {
        case .json:
            var text = JSONWriter()
            for line in lines { line.write(to: &text, at: instant) }
            return text.bytes
        case .text(let isColoured):
            return lines.flatMap { Array($0.text(isColoured: isColoured, at: instant).utf8) }
        }
    }
}
