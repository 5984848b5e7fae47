import HTTP
import Synchronization

/// A stream of content that a test feeds.
final class TestStream: ResponseStream {
    private struct State {
        var pieces: [[UInt8]] = []
        var hasEnded = false
        var isCanceled = false
        var waiting: CheckedContinuation<Void, Never>?
        var cancelAwaited: [CheckedContinuation<Void, Never>] = []

        mutating func takeWaiting() -> CheckedContinuation<Void, Never>? {
            defer { waiting = nil }
            return waiting
        }
    }
    private let state = Mutex(State())

    func feed(_ text: String) {
        state.withLock { state in
            state.pieces.append(Array(text.utf8))
            return state.takeWaiting()
        }?.resume()
    }

    func end() {
        state.withLock { state in
            state.hasEnded = true
            return state.takeWaiting()
        }?.resume()
    }

    func next() async -> [UInt8]? {
        while true {
            let (piece, isOver) = state.withLock { state in
                (state.pieces.isEmpty ? nil : state.pieces.removeFirst(), state.hasEnded || state.isCanceled)
            }
            if piece != nil || isOver { return piece }
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    let isOver = state.hasEnded || state.isCanceled || !state.pieces.isEmpty
                    if !isOver { state.waiting = continuation }
                    return isOver
                }
                if isOver { continuation.resume() }
            }
        }
    }

    func cancel() {
        let resumed = state.withLock { state in
            state.isCanceled = true
            defer { state.cancelAwaited = [] }
            return state.cancelAwaited + [state.takeWaiting()].compactMap(\.self)
        }
        for continuation in resumed { continuation.resume() }
    }

    /// Waits until the server cancels the stream.
    func canceled() async {
        await withCheckedContinuation { continuation in
            let isCanceled = state.withLock { state in
                if !state.isCanceled { state.cancelAwaited.append(continuation) }
                return state.isCanceled
            }
            if isCanceled { continuation.resume() }
        }
    }
}

/// A stream of content without end, which notes how far it is ahead of its reader.
final class EndlessStream: ResponseStream {
    static let pieceBytes = 65_536
    /// A bound on the number of bytes that both sockets hold.
    static let socketBytesMax = 16 * 1024 * 1024

    private struct State {
        var sentBytes = 0
        var receivedBytes = 0
        var aheadMax = 0
        var isCanceled = false
    }
    private let state = Mutex(State())

    func next() async -> [UInt8]? {
        state.withLock { state in
            guard !state.isCanceled, state.aheadMax <= Self.socketBytesMax else { return nil }
            state.sentBytes += Self.pieceBytes
            state.aheadMax = max(state.aheadMax, state.sentBytes - state.receivedBytes)
            return [UInt8](repeating: 0x61, count: Self.pieceBytes)
        }
    }

    func cancel() { state.withLock { $0.isCanceled = true } }

    func noteReceived(_ count: Int) { state.withLock { $0.receivedBytes += count } }

    /// The maximum number of bytes that were produced and not received.
    var aheadMax: Int { state.withLock { $0.aheadMax } }
}
