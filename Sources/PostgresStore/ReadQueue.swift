/// Pipelines reads on one connection. All waiting reads are sent together; each is answered separately.
actor ReadQueue {
    nonisolated var unownedExecutor: UnownedSerialExecutor { connection.executor.asUnownedSerialExecutor() }
    nonisolated let reads: RequestQueue<Query, QueryResult>
    private let connection: Connection

    init(on connection: Connection, callersMax: Int, timing: Timing) {
        self.connection = connection
        reads = RequestQueue(batchMax: 64, callersMax: callersMax, milliseconds: timing.callerMilliseconds)
    }

    /// Sends batches until the queue is ended.
    func run() async {
        while let batch = await reads.next() { await answer(batch) }
    }

    private func answer(_ batch: [RequestQueue<Query, QueryResult>.Asked]) async {
        var remaining = batch[...]
        while let first = remaining.first {
            do throws(ExchangeFailure) {
                let results = try await connection.exchange(remaining.map(\.item), connectingBy: first.deadline)
                for (asked, result) in zip(remaining, results) { reads.answer(asked.number, .success(result)) }
                return
            } catch {
                switch error {
                case .refused(let refusal, let number) where refusal.isConflict && !first.deadline.hasPassed:
                    // The error also discards the results before it. Reads can be repeated safely.
                    if number > 0, number < remaining.count { remaining = reordered(remaining, first: number) }
                case .refused(let refusal, let number) where number < remaining.count:
                    let refused = remaining[remaining.startIndex + number]
                    reads.answer(refused.number, .failure(refusal.failure))
                    remaining =
                        (remaining[..<(remaining.startIndex + number)]
                        + remaining[(remaining.startIndex + number + 1)...])[...]
                case .lost where !first.deadline.hasPassed: break
                case .lost, .unsent, .refused:
                    reads.answer(first.number, .failure(error.failure))
                    remaining = remaining.dropFirst()
                }
            }
        }
    }

    private func reordered(
        _ batch: ArraySlice<RequestQueue<Query, QueryResult>.Asked>, first number: Int
    ) -> ArraySlice<RequestQueue<Query, QueryResult>.Asked> {
        let index = batch.startIndex + number
        return ([batch[index]] + batch[..<index] + batch[(index + 1)...])[...]
    }
}
