import Foundation
import Testing
import Values

/// A token is credited once, whatever the gateway's clock shows, and whether or not its order is still kept.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct ReplayClockTests {
    /// By how many days the clock is off when the token is credited, and then.
    static let clocks = [(0, 400), (0, -400), (400, 0), (-400, 0)]

    /// For how many days orders are kept, if not for ever, and where.
    static let keeping = StoreOfGateway.allCases.flatMap { store in [nil, "1"].map { (days: $0, store: store) } }

    @Test(arguments: clocks, keeping)
    func `a clock that is 400 days off lets no replay through`(
        clocks: (first: Int, second: Int), keeping: (days: String?, store: StoreOfGateway)
    ) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let environment = try keeping.store.environment()
        let keepOrdersDays = keeping.days
        let now = Int64(Date().timeIntervalSince1970)
        let options = keepOrdersDays.map { ["--keep-orders-days", $0] } ?? []
        func gateway(_ days: Int) throws -> RunningGateway {
            let instant = Instant(secondsSinceEpoch: now + Int64(days) * 86_400)
            return try RunningGateway(
                in: folder, ["--clock", instant.wholeSeconds] + options, environment: environment)
        }

        let first = try gateway(clocks.first)
        defer { first.kill() }
        let request = try folder.mintRequest()
        let paid = try first.put(TransactionPath(), request)
        #expect(paid.status == 201)
        #expect(try first.stop() == .exited(0))

        let second = try gateway(clocks.second)
        defer { second.kill() }
        #expect(try second.put(TransactionPath(order: "another"), request).status == 400)
        let goes = keepOrdersDays != nil && clocks.second > clocks.first
        if goes {
            for _ in 0..<Patience.seconds * 50 where try second.get(TransactionPath()).status != 400 { usleep(20_000) }
        }
        let again = try second.put(TransactionPath(), request)
        #expect(goes ? again.status == 400 : again.body == paid.body)
        #expect(try second.put(TransactionPath(order: "another"), request).status == 400)
        #expect(try second.stop() == .exited(0))

        // By the first clock the token is fresh, so its use is the only reason to refuse it.
        let third = try gateway(clocks.first)
        defer { third.kill() }
        for path in [TransactionPath(order: "another"), TransactionPath(transaction: "2"), TransactionPath()] {
            let replay = try third.put(path, request)
            if path.order == "order-1", !goes {
                #expect(path.transaction == "1" ? replay.body == paid.body : replay.status == 400)
            } else {
                #expect(replay["error.explanation"]?.contains("refused at step 'replay'") == true, "\(replay.text)")
            }
        }
    }
}
