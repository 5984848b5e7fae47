import ControlAPI
import Synchronization

/// A clock whose pauses last until a test ends them.
final class Pauses: Sendable {
    private struct State {
        var lengths: [Int] = []
        var isOver = false
        var paused: [CheckedContinuation<Void, Never>] = []
        var tests: [(count: Int, test: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    /// How many milliseconds each pause was to last; no pause at all is not among them.
    var lengths: [Int] { state.withLock { $0.lengths } }

    /// A pause that lasts until all are ended.
    var pause: Pause {
        { milliseconds in
            guard milliseconds > 0 else { return }
            await withCheckedContinuation { continuation in
                let (isOver, tests) = self.state.withLock { state in
                    state.lengths.append(milliseconds)
                    if !state.isOver { state.paused.append(continuation) }
                    let tests = state.tests.filter { $0.count <= state.lengths.count }
                    state.tests.removeAll { $0.count <= state.lengths.count }
                    return (state.isOver, tests)
                }
                if isOver { continuation.resume() }
                for test in tests { test.test.resume() }
            }
        }
    }

    /// Waits until so many pauses have begun.
    func begun(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                guard state.lengths.count < count else { return true }
                state.tests.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    /// Ends the pauses that last, and all that come.
    func end() {
        let paused = state.withLock { state in
            state.isOver = true
            defer { state.paused = [] }
            return state.paused
        }
        for continuation in paused { continuation.resume() }
    }
}
