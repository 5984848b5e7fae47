internal import Synchronization

/// A fair counting semaphore: waiters get permits in the order of their arrival.
final class FairSemaphore: Sendable {
    private struct State {
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    init(permits: Int) {
        precondition(permits > 0, "a semaphore without permits is never acquired")
        state = Mutex(State(free: permits))
    }

    /// The number of tasks that wait for a permit.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Acquires a permit. Waits until one is free.
    func acquire() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.free > 0 else {
                    state.waiting.append(continuation)
                    return false
                }
                state.free -= 1
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    /// Releases a permit, or passes it to the task that has waited longest.
    func release() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.free += 1
            return nil
        }
        next?.resume()
    }
}
