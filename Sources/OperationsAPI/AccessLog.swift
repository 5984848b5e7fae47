internal import Dispatch
internal import JSON
internal import Synchronization
public import Values

/// Gathers the access log's lines and writes them on a queue of its own, some at a time. No request waits for that: while
/// what was gathered can't be written, what no longer fits is dropped and counted.
public final class AccessLog: Sendable {
    /// How many lines are gathered at most, of less than 4 KiB each.
    public static let linesMax = 4096
    /// Lines are written so long after the first of them, so that many share a system call.
    private static let gatheringMilliseconds = 50

    private struct State {
        var lines: [AccessLogLine] = []
        /// Whether what is gathered will be written of itself; nobody asks for it before the log has begun.
        var isWriting = true
        var droppedCount: UInt64 = 0
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "tollgate.log", qos: .utility)
    private let form: AccessLogForm
    private let write: @Sendable (_ lines: [UInt8]) -> Int
    private let monotonic: @Sendable () -> UInt64
    private let machine: @Sendable () -> Instant

    /// A log without a line, which gathers and writes nothing until it begins.
    ///
    /// - Parameters:
    ///   - form: how each line is written.
    ///   - monotonic: nanoseconds on the monotonic clock.
    ///   - machine: the machine's time.
    ///   - write: writes lines, each with its end, and tells how many of them it could not write. May wait.
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

    /// Writes what was gathered, and goes on to do so.
    public func begin() { queue.async { self.writeGathered() } }

    /// How many lines were dropped.
    public var droppedCount: UInt64 { state.withLock(\.droppedCount) }

    /// Takes a line, or drops it.
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

    /// Writes what has been gathered, if that can be done in time.
    public func finish(withinMilliseconds milliseconds: Int) {
        let done = DispatchSemaphore(value: 0)
        queue.async {
            self.writeGathered()
            done.signal()
        }
        _ = done.wait(timeout: .now() + .milliseconds(milliseconds))
    }

    /// On the queue.
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
