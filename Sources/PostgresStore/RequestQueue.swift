internal import Dispatch
internal import Synchronization
internal import Vault

/// A bounded queue that collects requests into batches while the previous batch is in flight.
///
/// Every caller is answered before its deadline, whatever happens to its request.
final class RequestQueue<Item: Sendable, Outcome: Sendable>: Sendable {
    /// A queued item, answered by its number.
    struct Asked: Sendable {
        let number: UInt64
        let item: Item
        let deadline: Deadline
    }

    private typealias Caller = CheckedContinuation<Result<Outcome, StoreFailure>, Never>

    private enum Phase {
        /// Requests are refused because the store is not open yet.
        case opening(reason: String)
        case open
        case ended

        /// Why requests are refused; nil if they are accepted.
        var refusal: String? {
            switch self {
            case .opening(let reason): reason
            case .open: nil
            case .ended: "PostgreSQL: the store is closed"
            }
        }

        var isEnded: Bool { if case .ended = self { true } else { false } }
    }

    private struct State {
        var phase = Phase.opening(reason: "PostgreSQL: the store is not open yet")
        var waiting: [Asked] = []
        var callers: [UInt64: (continuation: Caller, deadline: Deadline)] = [:]
        var nextNumber: UInt64 = 0
        /// No waiting caller has a lower number. Deadlines increase with the numbers.
        var oldestNumber: UInt64 = 0
        var idler: CheckedContinuation<Void, Never>?
        var isWatchingTime = false
    }

    private let state = Mutex(State())
    private let batchMax: Int
    private let callersMax: Int
    private let milliseconds: Int

    /// - Parameters:
    ///   - batchMax: the most items in one batch.
    ///   - callersMax: the most callers that may wait for an answer; further callers are refused at once.
    ///   - milliseconds: the time within which each caller is answered.
    init(batchMax: Int, callersMax: Int, milliseconds: Int) {
        self.batchMax = batchMax
        self.callersMax = callersMax
        self.milliseconds = milliseconds
    }

    /// Accepts requests from here on, unless the queue was ended.
    func open() { state.withLock { if !$0.phase.isEnded { $0.phase = .open } } }

    /// Sets the reason that callers get while the queue is not open yet.
    func delay(_ reason: String) {
        state.withLock { if case .opening = $0.phase { $0.phase = .opening(reason: reason) } }
    }

    /// Throws before ``open()`` and after ``end()``, for operations that don't pass through this queue.
    func checkOpen() throws(StoreFailure) {
        if let reason = state.withLock({ $0.phase.refusal }) { throw .unavailable(detail: reason) }
    }

    /// Queues an item and waits for its answer. Refused at once before ``open()`` and after ``end()``.
    func ask(_ item: Item) async -> Result<Outcome, StoreFailure> {
        await withCheckedContinuation { continuation in
            let deadline = Deadline(afterMilliseconds: milliseconds)
            var refusal: StoreFailure?
            let (idler, mustWatchTime) = state.withLock { state -> (CheckedContinuation<Void, Never>?, Bool) in
                let isFull = state.callers.count >= callersMax
                if let reason = state.phase.refusal ?? (isFull ? "PostgreSQL: too many wait for it" : nil) {
                    refusal = .unavailable(detail: reason)
                    return (nil, false)
                }
                state.callers[state.nextNumber] = (continuation, deadline)
                state.waiting.append(Asked(number: state.nextNumber, item: item, deadline: deadline))
                state.nextNumber += 1
                let mustWatchTime = !state.isWatchingTime
                state.isWatchingTime = true
                return (state.idler.take(), mustWatchTime)
            }
            if let refusal { return continuation.resume(returning: .failure(refusal)) }
            if mustWatchTime { watchTime() }
            idler?.resume()
        }
    }

    /// Waits for the next batch of at least one item. Returns nil once the queue has ended.
    func next() async -> [Asked]? {
        while true {
            let (batch, isEnded) = state.withLock { state -> ([Asked], Bool) in
                // Items whose callers have timed out are not carried out.
                let batch = state.waiting.prefix(batchMax)
                state.waiting.removeFirst(batch.count)
                return (batch.filter { state.callers[$0.number] != nil }, state.phase.isEnded)
            }
            if !batch.isEmpty { return batch }
            if isEnded { return nil }
            await withCheckedContinuation { continuation in
                let mustWait = state.withLock { state in
                    guard state.waiting.isEmpty, !state.phase.isEnded else { return false }
                    state.idler = continuation
                    return true
                }
                if !mustWait { continuation.resume() }
            }
        }
    }

    /// Answers an item, unless its caller has timed out.
    func answer(_ number: UInt64, _ result: Result<Outcome, StoreFailure>) {
        let caller = state.withLock { $0.callers.removeValue(forKey: number) }
        caller?.continuation.resume(returning: result)
    }

    /// Refuses all waiting and all later requests.
    func end() {
        let (callers, idler) = state.withLock { state in
            state.phase = .ended
            state.waiting = []
            defer { state.callers = [:] }
            return (state.callers, state.idler.take())
        }
        for caller in callers.values {
            caller.continuation.resume(returning: .failure(.unavailable(detail: "PostgreSQL: the store is closed")))
        }
        idler?.resume()
    }

    /// Runs on a global queue, as libpq may block a connection's queue while it resolves a host name.
    private func watchTime() {
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(50)) { self.answerTheLate() }
    }

    private func answerTheLate() {
        let (late, mustWatchTime) = state.withLock { state -> ([(caller: Caller, wasTaken: Bool)], Bool) in
            var late: [(caller: Caller, wasTaken: Bool)] = []
            // Lower numbers have already been taken into a batch.
            let waitingNumber = state.waiting.first?.number ?? state.nextNumber
            while state.oldestNumber < state.nextNumber {
                if let caller = state.callers[state.oldestNumber] {
                    guard caller.deadline.hasPassed else { break }
                    late.append((caller.continuation, state.oldestNumber < waitingNumber))
                    state.callers[state.oldestNumber] = nil
                }
                state.oldestNumber += 1
            }
            state.isWatchingTime = !state.callers.isEmpty
            return (late, state.isWatchingTime)
        }
        for (caller, wasTaken) in late {
            let detail = wasTaken ? "no answer in time" : "others before it took all the time"
            caller.resume(returning: .failure(.unavailable(detail: "PostgreSQL: \(detail)")))
        }
        if mustWatchTime { watchTime() }
    }
}
