import Glibc

/// What clients are sent for, and whom they report to.
protocol Errands: AnyObject {
    /// The next request of a client; nil if it has none now.
    func next() throws -> Errand?

    /// An errand has ended.
    ///
    /// - Parameters:
    ///   - begun: before its first byte was sent, in nanoseconds on the monotonic clock.
    ///   - ended: after its answer's last byte was received, or the connection was found to be lost.
    ///   - answer: nil if the connection was lost.
    func didEnd(_ errand: Errand, begun: UInt64, ended: UInt64, _ answer: LoadAnswer?) throws
}

/// One request.
struct Errand {
    let bytes: [UInt8]
    /// Which it is, to whom that matters.
    let number: Int
}

/// Clients with a keep-alive connection each that expect to lose it: its requests are reported as lost then, and
/// they connect again. Driven by the calling thread.
final class ClientCrowd {
    private static let answerNanosecondsMax: UInt64 = 30_000_000_000

    /// A place for one connection after the other.
    private struct Place {
        let gateway: Int
        var connection: LoadConnection?
        var errand: Errand?
        var begun: UInt64 = 0
    }

    private var places: [Place]
    /// The port of each gateway; nil while it doesn't listen.
    private var ports: [UInt16?]
    private let poller: LoadPoller
    private let buffers = LoadBuffers()
    /// The longest that a client has waited for an answer.
    private(set) var slowestNanoseconds: UInt64 = 0

    /// Clients that are shared out among gateways, of which none listens yet.
    init(count: Int, gateways: Int) throws {
        poller = try LoadPoller()
        ports = Array(repeating: nil, count: gateways)
        places = (0..<count).map { Place(gateway: $0 % gateways) }
    }

    /// The port of a gateway from now on; nil if it is gone. Must not be called while its clients wait.
    func listens(_ gateway: Int, at port: UInt16?) {
        ports[gateway] = port
        for number in places.indices where places[number].gateway == gateway {
            precondition(places[number].errand == nil, "nobody waits for an answer")
            places[number].connection = nil
        }
    }

    /// Every gateway of a fleet listens from now on.
    func listens(at fleet: Fleet) {
        for (number, gateway) in fleet.gateways.enumerated() { listens(number, at: gateway?.port) }
    }

    /// Sends the clients out until an instant of the monotonic clock, for as long as a condition holds, or until none has
    /// anything to do.
    func drive(_ errands: some Errands, until deadline: UInt64 = .max, while isOn: () -> Bool = { true }) throws {
        while Monotonic.nanoseconds < deadline, isOn() {
            var isIdle = true
            for number in places.indices {
                if places[number].errand == nil, ports[places[number].gateway] != nil, let errand = try errands.next() {
                    try begin(errand, number, errands)
                }
                if places[number].errand != nil { isIdle = false }
            }
            if isIdle {
                guard deadline != .max else { return }
                usleep(1_000)
            }
            try wait(errands)
        }
    }

    /// Waits until every client has an answer, or has lost its connection.
    func drain(_ errands: some Errands) throws {
        while places.contains(where: { $0.errand != nil }) { try wait(errands) }
    }

    /// Waits until the clients of a gateway that was killed have read what it had sent.
    func mourn(_ gateway: Int, _ errands: some Errands) throws {
        while places.contains(where: { $0.gateway == gateway && $0.errand != nil }) { try wait(errands) }
        listens(gateway, at: nil)
    }

    private func wait(_ errands: some Errands) throws {
        _ = try poller.wait(milliseconds: 1) { number, hasRoom, hasBytes in
            // An event of a connection that was lost just before.
            guard let connection = places[number].connection else { return }
            do {
                if hasRoom, try connection.flush() { try watch(number, forRoom: false) }
                if hasBytes { try receive(number, connection, errands) }
            } catch is ConnectionLost {
                try lose(number, errands)
            }
        }
        let now = Monotonic.nanoseconds
        for place in places where place.errand != nil && place.begun + Self.answerNanosecondsMax < now {
            throw BenchFailure("no answer within 30 seconds")
        }
    }

    private func begin(_ errand: Errand, _ number: Int, _ errands: some Errands) throws {
        places[number].errand = errand
        do {
            let connection = try places[number].connection ?? connect(number)
            places[number].begun = Monotonic.nanoseconds
            let entry = RequestBatch.Entry(bytes: errand.bytes, status: 0, expected: [])
            if try !connection.begin(LoadRequest(entry: entry, start: places[number].begun)) {
                try watch(number, forRoom: true)
            }
        } catch is ConnectionLost {
            try lose(number, errands)
        }
    }

    private func connect(_ number: Int) throws -> LoadConnection {
        places[number].begun = Monotonic.nanoseconds
        guard let port = ports[places[number].gateway] else { preconditionFailure("a gateway that listens") }
        let connection = try LoadConnection(port: port, .http1, buffers)
        places[number].connection = connection
        try poller.add(connection.descriptor, number: number)
        return connection
    }

    private func receive(_ number: Int, _ connection: LoadConnection, _ errands: some Errands) throws {
        let hasRoom = try connection.receive(buffers) { _, answer in
            let ended = Monotonic.nanoseconds
            let (errand, begun) = (places[number].errand, places[number].begun)
            places[number].errand = nil
            guard let errand else { throw BenchFailure("an unsolicited response") }
            slowestNanoseconds = max(slowestNanoseconds, ended - begun)
            try errands.didEnd(errand, begun: begun, ended: ended, answer)
        }
        if !hasRoom { try watch(number, forRoom: true) }
    }

    private func lose(_ number: Int, _ errands: some Errands) throws {
        let (errand, begun) = (places[number].errand, places[number].begun)
        places[number].connection = nil
        places[number].errand = nil
        guard let errand else { return }
        try errands.didEnd(errand, begun: begun, ended: Monotonic.nanoseconds, nil)
    }

    private func watch(_ number: Int, forRoom: Bool) throws {
        guard let connection = places[number].connection else { return }
        try poller.watch(connection.descriptor, number: number, forRoom: forRoom)
    }
}
