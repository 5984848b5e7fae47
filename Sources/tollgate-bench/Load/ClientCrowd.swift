import Glibc

/// A source of requests for clients, which also receives their results.
protocol Errands: AnyObject {
    /// The next request for a client; nil if there is none now.
    func next() throws -> Errand?

    /// Called when a request has ended.
    ///
    /// - Parameters:
    ///   - begun: before the request's first byte was sent, in nanoseconds on the monotonic clock.
    ///   - ended: after the last byte of the answer was received, or the connection was found to be lost.
    ///   - answer: nil if the connection was lost.
    func didEnd(_ errand: Errand, begun: UInt64, ended: UInt64, _ answer: LoadAnswer?) throws
}

/// One request of a client.
struct Errand {
    let bytes: [UInt8]
    /// A number by which the source identifies the request.
    let number: Int
}

/// Clients, each with one keep-alive connection that may be lost at any time. The requests in flight are then reported as
/// lost, and the client connects again. All clients run on the calling thread.
final class ClientCrowd {
    private static let answerNanosecondsMax: UInt64 = 30_000_000_000

    /// A client's slot, which holds one connection at a time.
    private struct Place {
        let gateway: Int
        var connection: LoadConnection?
        var errand: Errand?
        var begun: UInt64 = 0
    }

    private var places: [Place]
    /// The port of each gateway; nil while it isn't listening.
    private var ports: [UInt16?]
    private let poller: LoadPoller
    private let buffers = LoadBuffers()
    /// The longest time that a client has waited for an answer.
    private(set) var slowestNanoseconds: UInt64 = 0

    /// Creates clients and distributes them among gateways, none of which is listening yet.
    init(count: Int, gateways: Int) throws {
        poller = try LoadPoller()
        ports = Array(repeating: nil, count: gateways)
        places = (0..<count).map { Place(gateway: $0 % gateways) }
    }

    /// Sets the port of a gateway; nil if it has ended. Must not be called while its clients wait.
    func listens(_ gateway: Int, at port: UInt16?) {
        ports[gateway] = port
        for number in places.indices where places[number].gateway == gateway {
            precondition(places[number].errand == nil, "nobody waits for an answer")
            places[number].connection = nil
        }
    }

    /// Sets the ports of all gateways of a fleet.
    func listens(at fleet: Fleet) {
        for (number, gateway) in fleet.gateways.enumerated() { listens(number, at: gateway?.port) }
    }

    /// Runs the clients until an instant of the monotonic clock, while a condition holds, or until there are no more
    /// requests.
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

    /// Waits until the clients of a killed gateway have read everything that it had sent.
    func mourn(_ gateway: Int, _ errands: some Errands) throws {
        while places.contains(where: { $0.gateway == gateway && $0.errand != nil }) { try wait(errands) }
        listens(gateway, at: nil)
    }

    private func wait(_ errands: some Errands) throws {
        _ = try poller.wait(milliseconds: 1) { number, hasRoom, hasBytes in
            // The event may belong to a connection that has just been lost.
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
