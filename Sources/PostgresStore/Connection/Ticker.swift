internal import Dispatch

/// Sole owner of a repeating timer. It runs while a deadline is pending, and is not rescheduled for each deadline.
final class Ticker {
    private static let interval = DispatchTimeInterval.milliseconds(10)
    private let timer: any DispatchSourceTimer
    private var isRunning = false

    init(queue: DispatchQueue, handler: @escaping @Sendable () -> Void) {
        timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler(handler: handler)
        timer.schedule(deadline: .distantFuture)
        timer.activate()
    }

    deinit { timer.cancel() }

    func run() {
        guard !isRunning else { return }
        isRunning = true
        timer.schedule(deadline: .now() + Self.interval, repeating: Self.interval)
    }

    func pause() {
        isRunning = false
        timer.schedule(deadline: .distantFuture)
    }
}
