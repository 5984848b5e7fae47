import Synchronization

/// Holds handlers back until a test lets them go.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiting: [CheckedContinuation<Void, Never>] = []
        var arrivals = 0
        var arrivalsAwaited: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }
    private let state = Mutex(State())

    /// Waits until the gate is open.
    func pass() async {
        await withCheckedContinuation { continuation in
            let (resumed, isOpen) = state.withLock { state in
                state.arrivals += 1
                let reached = state.arrivalsAwaited.filter { $0.count <= state.arrivals }
                state.arrivalsAwaited.removeAll { $0.count <= state.arrivals }
                if !state.isOpen { state.waiting.append(continuation) }
                return (reached.map(\.continuation), state.isOpen)
            }
            for waiter in resumed { waiter.resume() }
            if isOpen { continuation.resume() }
        }
    }

    /// Waits until so many have arrived at the gate.
    func arrivals(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isReached = state.withLock { state in
                if state.arrivals < count { state.arrivalsAwaited.append((count, continuation)) }
                return state.arrivals >= count
            }
            if isReached { continuation.resume() }
        }
    }

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
