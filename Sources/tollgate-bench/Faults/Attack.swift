import Values

/// Kills gateways or the processes that they depend on, while clients send requests, until all have recovered.
struct Attack {
    /// How long the unaffected clients continue.
    private static let nanoseconds: ClosedRange<UInt64> = 0...250_000_000
    /// How long a store is rarely unavailable: longer than a gateway makes a client wait for it.
    private static let longNanoseconds: UInt64 = 3_000_000_000

    private let fleet: Fleet
    private let clientPool: ClientPool
    private var chance: SeededGenerator
    private(set) var kills = 0
    /// The number of kills that hit a gateway during its start; included in the total.
    private(set) var killsAtStart = 0

    init(on fleet: Fleet, before clientPool: ClientPool, seed: UInt64) {
        self.fleet = fleet
        self.clientPool = clientPool
        chance = SeededGenerator(seed: seed)
    }

    /// Kills the fleet's victim, restarts it, and returns when no client waits for an answer.
    ///
    /// - Parameter didKill: called when the killed processes have ended and their clients have noticed.
    mutating func run(_ source: some RequestSource, didKill: () -> Void = {}) throws {
        kills += 1
        let isLong = fleet.victim != .gateway && chance.once(in: 25)
        let end =
            Monotonic.nanoseconds + (isLong ? Self.longNanoseconds : .random(in: Self.nanoseconds, using: &chance))
        switch fleet.victim {
        case .gateway: try killGateways(source, until: end, didKill)
        case .server, .connection:
            try fleet.disruptStore(&chance)
            try clientPool.drive(source, until: end)
            try fleet.restoreStore()
            try clientPool.drain(source)
        }
        try fleet.checkRunning()
    }

    /// Kills one or several gateways; the others continue.
    private mutating func killGateways(
        _ source: some RequestSource, until end: UInt64, _ didKill: () -> Void
    ) throws {
        var victims = Array(fleet.gateways.indices)
        let count = chance.once(in: 3) ? Int.random(in: 1...victims.count, using: &chance) : 1
        victims = (0..<count).map { _ in chance.take(from: &victims) }
        for number in victims { fleet.killGateway(number) }
        for number in victims { try clientPool.drain(gateway: number, source) }
        didKill()
        if fleet.gateways.count > victims.count { try clientPool.drive(source, until: end) }
        try clientPool.drain(source)
        for number in victims {
            if chance.once(in: 8) {
                kills += 1
                killsAtStart += 1
                try fleet.killStartingGateway(number, &chance)
            }
            try fleet.startGateway(number)
            clientPool.listens(number, at: fleet.gateways[number]?.port)
        }
    }
}
