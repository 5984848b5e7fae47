import Glibc
import Values

/// Sends mixed requests over many connections, some of which are cut at random times, and monitors the gateways' memory
/// and open descriptors.
final class Soak {
    /// The maximum growth of the memory, in per cent.
    private static let growthPercentMax = 5.0
    private static let answerNanosecondsMax: UInt64 = 30_000_000_000

    /// A slot, which holds one connection at a time.
    private struct Place {
        let gateway: Int
        let port: UInt16
        let kind: LoadProtocol
        var connection: LoadConnection?
        /// The requests in flight, by number.
        var steps: [Int: SoakScript.Step] = [:]
        /// Whether the connection is to be cut when an answer begins to arrive.
        var isCutLate = false
        var lastProgress: UInt64 = 0
    }

    /// The memory and descriptors of a gateway while no client is connected.
    private struct Holding {
        let residentBytes: Int
        let descriptors: Int
    }

    private let gateways: [BenchGateways.Gateway]
    private var scripts: [SoakScript]
    private var places: [Place] = []
    private let poller: LoadPoller
    private let buffers = LoadBuffers()
    private let rate: Int
    private var chance: SeededGenerator
    private var lastRequest = 0
    private var nextPlace = 0
    private var answers = 0
    private var cuts = 0

    init(_ gateways: BenchGateways, _ wires: [Wire], connections: Int, rate: Int, seed: UInt64) throws {
        self.gateways = gateways.all
        self.rate = rate
        chance = SeededGenerator(seed: seed)
        poller = try LoadPoller()
        scripts = try gateways.all.map { try SoakScript($0.installation) }
        for number in 0..<connections {
            let wire = wires[number % wires.count]
            let gateway = gateways.gateway(wire)
            guard let index = gateways.all.firstIndex(where: { $0 === gateway }) else { continue }
            places.append(Place(gateway: index, port: gateway.process.port, kind: try gateways.kind(wire)))
        }
    }

    /// Runs the requests, prints the gateways' memory and descriptors after a sixth of the time and at the end, and
    /// throws if they grew.
    func run(minutes: Double) throws {
        let seconds = minutes * 60
        try load(seconds: seconds / 6)
        let before = try holdings()
        let printed = { (name: String, holdings: [Holding]) in
            for (index, holding) in holdings.enumerated() {
                let mebibytes = Double(holding.residentBytes) / 1_048_576
                print("\(name), gateway \(index): \(mebibytes.rounded(to: 1)) MiB, \(holding.descriptors) descriptors")
            }
        }
        printed("after \((seconds / 6).rounded(to: 0)) s", before)
        try load(seconds: seconds * 5 / 6)
        let after = try holdings()
        printed("after \(seconds.rounded(to: 0)) s", after)
        print("\(answers) answers, each right; \(cuts) connections cut")
        for (one, other) in zip(before, after) {
            let growth = Double(other.residentBytes - one.residentBytes) / Double(one.residentBytes) * 100
            guard growth <= Self.growthPercentMax else {
                throw BenchFailure("memory grew by \(growth.rounded(to: 1)) %")
            }
            guard other.descriptors <= one.descriptors else {
                throw BenchFailure("descriptors grew from \(one.descriptors) to \(other.descriptors)")
            }
        }
    }

    /// Closes every connection, waits until the gateways have detected it, and reads their memory and descriptors.
    private func holdings() throws -> [Holding] {
        for number in places.indices { close(number) }
        sleep(4)
        return try gateways.map { gateway in
            guard gateway.process.isRunning else { throw BenchFailure("a gateway has ended") }
            return Holding(
                residentBytes: try ProcessUsage.residentBytes(of: gateway.process.identifier),
                descriptors: try ProcessUsage.descriptorCount(of: gateway.process.identifier))
        }
    }

    private func load(seconds: Double) throws {
        let start = Monotonic.nanoseconds
        let end = start + UInt64(seconds * 1e9)
        let first = lastRequest
        while true {
            let now = Monotonic.nanoseconds
            guard now < end else { return }
            let allowed = Int(Double(now - start) / 1e9 * Double(rate))
            // Each connection in turn, so that none is idle for long.
            for _ in places where lastRequest - first < allowed {
                nextPlace = (nextPlace + 1) % places.count
                try fill(nextPlace, at: now)
            }
            _ = try poller.wait(milliseconds: 1) { number, hasRoom, hasBytes in
                // The event may belong to a connection that has just been cut.
                guard let connection = places[number].connection else { return }
                places[number].lastProgress = now
                do {
                    if hasRoom, try connection.flush() { try watch(number, forRoom: false) }
                    if hasBytes { try receive(number) }
                } catch {
                    throw BenchFailure(
                        "\(places[number].kind.name) connection with \(places[number].steps.count) requests in flight, "
                            + "\((Double(now - start) / 1e9).rounded(to: 1)) s into the load: \(error)")
                }
            }
            for number in places.indices
            where !places[number].steps.isEmpty && places[number].lastProgress + Self.answerNanosecondsMax < now {
                throw BenchFailure("no answer within 30 seconds")
            }
            usleep(500)
        }
    }

    // MARK: Connections

    /// Connects if necessary, and sends a request if there is room for one.
    private func fill(_ number: Int, at now: UInt64) throws {
        guard let connection = places[number].connection else { return try open(number, at: now) }
        guard connection.isReady, connection.inFlight < connection.streams, !places[number].isCutLate else { return }
        let (entry, step) = try scripts[places[number].gateway].next(&chance)
        lastRequest += 1
        places[number].steps[lastRequest] = step
        places[number].lastProgress = now
        let request = LoadRequest(entry: entry, start: now, number: lastRequest)
        guard !chance.once(in: 40) else { return try cut(number, amid: request) }
        if try !connection.begin(request) { try watch(number, forRoom: true) }
    }

    private func open(_ number: Int, at now: UInt64) throws {
        let connection = try LoadConnection(port: places[number].port, places[number].kind, buffers)
        places[number].connection = connection
        places[number].isCutLate = false
        places[number].lastProgress = now
        try poller.add(connection.descriptor, number: number)
        // Connections are also cut without a request, and during a handshake.
        if chance.once(in: 20) { close(number, cutting: connection) }
    }

    /// Sends a request partly or completely, and cuts the connection at once or when the answer begins.
    private func cut(_ number: Int, amid request: LoadRequest) throws {
        guard let connection = places[number].connection else { return }
        switch Int.random(in: 0..<3, using: &chance) {
        case 0:
            try connection.prepare(request)
            try connection.flushPart(Int.random(in: 0..<8_000, using: &chance))
            close(number, cutting: connection)
        case 1:
            _ = try connection.begin(request)
            close(number, cutting: connection)
        default:
            if try !connection.begin(request) { try watch(number, forRoom: true) }
            places[number].isCutLate = true
        }
    }

    private func close(_ number: Int, cutting connection: LoadConnection) {
        cuts += 1
        if chance.once(in: 2) { connection.resetOnClose() }
        close(number)
    }

    private func close(_ number: Int) {
        for step in places[number].steps.values { scripts[places[number].gateway].forget(step) }
        places[number].steps = [:]
        places[number].connection = nil
    }

    // MARK: Answers

    private func receive(_ number: Int) throws {
        guard let connection = places[number].connection else { return }
        guard !places[number].isCutLate else { return close(number, cutting: connection) }
        let hasRoom = try connection.receive(buffers) { request, answer in
            try request.entry.check(answer)
            guard let step = places[number].steps.removeValue(forKey: request.number) else {
                throw BenchFailure("an unsolicited response")
            }
            try scripts[places[number].gateway].note(step, answer)
            answers += 1
        }
        if !hasRoom { try watch(number, forRoom: true) }
    }

    private func watch(_ number: Int, forRoom: Bool) throws {
        guard let connection = places[number].connection else { return }
        try poller.watch(connection.descriptor, number: number, forRoom: forRoom)
    }
}
