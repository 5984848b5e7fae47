import Glibc

/// A source of requests for clients, which also receives their results.
protocol RequestSource: AnyObject {
    /// The next request for a client; nil if there is none now.
    func next() throws -> ClientRequest?

    /// Called when a request has ended.
    ///
    /// - Parameters:
    ///   - begun: before the request's first byte was sent, in nanoseconds on the monotonic clock.
    ///   - ended: after the last byte of the answer was received, or the connection was found to be lost.
    ///   - answer: nil if the connection was lost.
    func didEnd(_ request: ClientRequest, begun: UInt64, ended: UInt64, _ answer: LoadAnswer?) throws
}

/// One request of a client.
struct ClientRequest {
    let bytes: [UInt8]
    /// A number by which the source identifies the request.
    let number: Int
}

/// Clients, each with one keep-alive connection that may be lost at any time. The requests in flight are then reported as
/// lost, and the client connects again. All clients run on the calling thread.
final class ClientPool {
    private static let answerNanosecondsMax: UInt64 = 30_000_000_000

    /// A client's slot, which holds one connection at a time.
    private struct Place {
        let gateway: Int
        var connection: LoadConnection?
        var request: ClientRequest?
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
            precondition(places[number].request == nil, "nobody waits for an answer")
            places[number].connection = nil
        }
    }

    /// Sets the ports of all gateways of a fleet.
    func listens(at fleet: Fleet) {
        for (number, gateway) in fleet.gateways.enumerated() { listens(number, at: gateway?.port) }
    }

    /// Runs the clients until an instant of the monotonic clock, while a condition holds, or until there are no more
    /// requests.
    func drive(_ source: some RequestSource, until deadline: UInt64 = .max, while isOn: () -> Bool = { true }) throws {
        while Monotonic.nanoseconds < deadline, isOn() {
            var isIdle = true
            for number in places.indices {
                if places[number].request == nil, ports[places[number].gateway] != nil, let request = try source.next()
                {
                    try begin(request, number, source)
                }
                if places[number].request != nil { isIdle = false }
            }
            if isIdle {
                guard deadline != .max else { return }
                usleep(1_000)
            }
            try wait(source)
        }
    }

    /// Waits until every client has an answer, or has lost its connection.
    func drain(_ source: some RequestSource) throws {
        while places.contains(where: { $0.request != nil }) { try wait(source) }
    }

    /// Waits until the clients of a killed gateway have read everything that it had sent.
    func drain(gateway: Int, _ source: some RequestSource) throws {
        while places.contains(where: { $0.gateway == gateway && $0.request != nil }) { try wait(source) }
        listens(gateway, at: nil)
    }

    private func wait(_ source: some RequestSource) throws {
        _ = try poller.wait(milliseconds: 1) { number, hasRoom, hasBytes in
            // The event may belong to a connection that has just been lost.
            guard let connection = places[number].connection else { return }
            do {
                if hasRoom, try connection.flush() { try watch(number, forRoom: false) }
                if hasBytes { try receive(number, connection, source) }
            } catch is ConnectionLost {
                try lose(number, source)
            }
        }
        let now = Monotonic.nanoseconds
        for place in places where place.request != nil && place.begun + Self.answerNanosecondsMax < now {
            throw BenchFailure("no answer within 30 seconds")
        }
    }

    private func begin(_ request: ClientRequest, _ number: Int, _ source: some RequestSource) throws {
        places[number].request = request
        do {
            let connection = try places[number].connection ?? connect(number)
            places[number].begun = Monotonic.nanoseconds
            let entry = RequestBatch.Entry(bytes: request.bytes, status: 0, expected: [])
            if try !connection.begin(LoadRequest(entry: entry, start: places[number].begun)) {
                try watch(number, forRoom: true)
            }
        } catch is ConnectionLost {
            try lose(number, source)
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

    private func receive(_ number: Int, _ connection: LoadConnection, _ source: some RequestSource) throws {
        let hasRoom = try connection.receive(buffers) { _, answer in
            let ended = Monotonic.nanoseconds
            let (request, begun) = (places[number].request, places[number].begun)
            places[number].request = nil
            guard let request else { throw BenchFailure("an unsolicited response") }
            slowestNanoseconds = max(slowestNanoseconds, ended - begun)
            try source.didEnd(request, begun: begun, ended: ended, answer)
        }
        if !hasRoom { try watch(number, forRoom: true) }
    }

    private func lose(_ number: Int, _ source: some RequestSource) throws {
        let (request, begun) = (places[number].request, places[number].begun)
        places[number].connection = nil
        places[number].request = nil
        guard let request else { return }
        try source.didEnd(request, begun: begun, ended: Monotonic.nanoseconds, nil)
    }

    private func watch(_ number: Int, forRoom: Bool) throws {
        guard let connection = places[number].connection else { return }
        try poller.watch(connection.descriptor, number: number, forRoom: forRoom)
    }
}
