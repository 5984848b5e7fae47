import Glibc
import HTTP
import HTTPTypes
import Synchronization
import Testing

@testable import HTTPServer

@Suite(.timeLimit(.minutes(30)))
struct LimitTests {
    // MARK: Counts

    @Test func `connections are counted by network and in all`() throws {
        let counts = ConnectionCounts(connectionsMax: 3, perNetworkMax: 2)
        let near = PeerNetwork([192, 0, 2, 1])
        let far = PeerNetwork([192, 0, 2, 2])
        var places: [ConnectionPlace?] = [counts.place(for: near), counts.place(for: near)]
        #expect(places.allSatisfy { $0?.isRefused == false })
        #expect(counts.place(for: near)?.isRefused == true)
        places.append(counts.place(for: far))
        #expect(places[2]?.isRefused == false)
        #expect(counts.place(for: far)?.isRefused == true)
        #expect(counts.place(for: nil)?.isRefused == true)
        #expect(counts.servedCount == 3)
        places[0] = nil
        #expect(counts.servedCount == 2)
        #expect(counts.place(for: near)?.isRefused == false)
        places = []
        #expect(counts.servedCount == 0)
    }

    @Test func `what has no network is only counted in all`() {
        let counts = ConnectionCounts(connectionsMax: 3, perNetworkMax: 1)
        let places = (0..<3).map { _ in counts.place(for: nil) }
        #expect(places.allSatisfy { $0?.isRefused == false })
        #expect(counts.place(for: nil)?.isRefused == true)
    }

    @Test func `only so many are told that there are too many`() {
        let counts = ConnectionCounts(connectionsMax: 0, perNetworkMax: 1)
        var refused = (0..<ConnectionCounts.refusedConnectionsMax).map { _ in counts.place(for: nil) }
        #expect(refused.allSatisfy { $0?.isRefused == true })
        #expect(counts.place(for: nil) == nil)
        refused.removeLast()
        #expect(counts.place(for: nil)?.isRefused == true)
        #expect(counts.servedCount == 0)
    }

    @Test func `an address of IPv6 counts as its first 64 bits, and mapped IPv4 as IPv4`() {
        let prefix: [UInt8] = [0x20, 0x01, 0x0D, 0xB8, 0, 0, 0, 1]
        let one = PeerNetwork(prefix + [0, 0, 0, 0, 0, 0, 0, 1])
        #expect(one == PeerNetwork(prefix + [8, 7, 6, 5, 4, 3, 2, 1]))
        #expect(one != PeerNetwork([0x20, 0x01, 0x0D, 0xB8, 0, 0, 0, 2] + [0, 0, 0, 0, 0, 0, 0, 1]))
        let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 192, 0, 2, 1]
        #expect(PeerNetwork(mapped) == PeerNetwork([192, 0, 2, 1]))
        #expect(PeerNetwork(mapped) != PeerNetwork([192, 0, 2, 2]))
        #expect(PeerNetwork([0, 0, 0, 0]) != PeerNetwork([UInt8](repeating: 0, count: 16)))
    }

    @Test func `content that no handler has yet is bounded on all connections together`() async throws {
        var configuration = HTTPServerConfiguration.patient
        configuration.heldBytesMax = 100_000
        let head = "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n"
        let content = String(repeating: "x", count: 60_000)
        try await withServer(configuration) { server, address in
            var clients: [RawClient] = []
            while server.statistics.requestsRefused == 0 {
                let client = try RawClient(address)
                try await client.send(head + content.dropLast())
                clients.append(client)
            }
            #expect(clients.count > 1)
            var answers: [String] = []
            for client in clients {
                await client.sendEnd()
                answers.append(try await client.remainder())
            }
            let refusals = answers.filter { !$0.isEmpty }
            #expect(!refusals.isEmpty)
            #expect(refusals.allSatisfy { $0.hasPrefix("HTTP/1.1 503 ") && $0.contains("\r\nRetry-After: 1\r\n") })
            // Their places are released.
            try await eventually {
                let client = try RawClient(address)
                try await client.send(head + content)
                return try await client.status() == 200
            }
        }
    }

    @Test func `content over HTTP 2 that no handler has yet ends the connection that goes beyond`() async throws {
        var configuration = HTTPServerConfiguration.patient
        configuration.heldBytesMax = 50_000
        try await withServer(configuration) { server, address in
            let client = StreamClient(try RawClient(address))
            let body = [UInt8](repeating: 0x61, count: 60_000)
            _ = try await client.submit(["/echo", "/echo"], method: .post, body: body)
            try await client.end()
            #expect(await client.goAways.count == 1)
            #expect(server.statistics.requestsRefused == 1)
            #expect(try await StreamClient(try RawClient(address)).get("/1") == "/1")
        }
    }

    @Test func `loopback is not counted by address`() async throws {
        var configuration = HTTPServerConfiguration.patient
        configuration.connectionsPerAddressMax = 1
        try await withServer(configuration) { _, address in
            let clients = try (0..<3).map { _ in try RawClient(address) }
            for client in clients {
                try await client.send(get("/1"))
                #expect(try await client.status() == 200)
            }
        }
    }

    // MARK: Requests

    @Test func `a request too many is answered 503 and its connection goes on`() async throws {
        var configuration = HTTPServerConfiguration.patient
        configuration.requestsMax = 1
        configuration.retryAfterSeconds = 7
        let gate = Gate()
        try await withServer(configuration, gate: gate) { server, address in
            let first = try RawClient(address)
            try await first.send(get("/gated"))
            await gate.arrivals(1)
            let second = try RawClient(address)
            for path in ["/1", "/immediate"] {
                try await second.send(get(path))
                let (head, _) = try await second.response()
                #expect(head.hasPrefix("HTTP/1.1 503 "))
                #expect(head.contains("\r\nRetry-After: 7"))
                #expect(!head.contains("Connection"))
            }
            #expect(server.statistics.requestsRefused == 2)
            gate.open()
            #expect(try await first.response().body == "gated")
            try await eventually { server.statistics.requestsInFlight == 0 }
            try await second.send(get("/2"))
            #expect(try await second.response().body == "/2")
        }
    }

    @Test func `a request whose client has left is in flight until it is answered`() async throws {
        var configuration = HTTPServerConfiguration.patient
        configuration.requestsMax = 1
        let gate = Gate()
        try await withServer(configuration, gate: gate) { server, address in
            do {
                let client = try RawClient(address)
                try await client.send(get("/gated"))
                await gate.arrivals(1)
                await client.resetOnClose()
            }
            try await eventually { server.statistics.connectionsOpen == 0 }
            #expect(server.statistics.requestsInFlight == 1)
            gate.open()
            try await eventually { server.statistics.requestsInFlight == 0 }
        }
    }

    @Test func `a flood of pipelined requests does not hold up another client`() async throws {
        var configuration = HTTPServerConfiguration.patient
        configuration.eventLoopCount = 1
        let handled = Atomic<Int>(0)
        let others = Mutex<[RawClient]>([])
        let server = HTTPServer(configuration: configuration, clock: { 0 }) { request in
            guard request.head.path == "/flood" else {
                return .now(Response(status: .ok, body: Array("\(handled.load(ordering: .relaxed))".utf8)))
            }
            // From here on the other has been waiting, while there are hundreds left of the flood.
            if handled.add(1, ordering: .relaxed).newValue == 40 { others.withLock { $0[0].sendNow(get("/other")) } }
            return .now(Response(status: .ok))
        }
        let address = try server.start(host: "127.0.0.1", port: 0)
        let other = try RawClient(address)
        others.withLock { $0 = [other] }
        // Both are accepted before the flood begins.
        try await other.send(get("/other"))
        #expect(try await other.response().body == "0")
        let flood = try RawClient(address)
        try await flood.send(String(repeating: get("/flood"), count: 1000))
        let count = Int(try await other.response().body) ?? 0
        #expect(count >= 40 && count < 200)
        for _ in 0..<1000 { #expect(try await flood.status() == 200) }
        await server.stop(withinSeconds: 0)
    }

    @Test func `a request knows when its first byte was read`() async throws {
        try await withServer { _, address in
            let client = try RawClient(address)
            let before = Monotonic.now
            try await client.send(get("/arrival") + get("/arrival"))
            let first = try #require(UInt64(try await client.response().body))
            let second = try #require(UInt64(try await client.response().body))
            let between = Monotonic.now
            #expect(before <= first && first <= second && second <= between)
            // The first byte of this one is read before the last is sent.
            try await client.send("GET /arr")
            try await client.send("ival HTTP/1.1\r\nHost: a\r\n\r\n")
            let third = try #require(UInt64(try await client.response().body))
            #expect(third >= between)
        }
    }

    // MARK: Deadlines

    @Test func `a request that comes in time in each part but not as a whole is answered 408`() async throws {
        var configuration = HTTPServerConfiguration.patient
        configuration.requestTimeoutSeconds = 0.05
        try await withServer(configuration) { _, address in
            for bytes in ["GET / HTT", "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhell"] {
                let client = try RawClient(address)
                try await client.send(bytes)
                #expect(try await client.status() == 408)
                #expect(try await client.remainder() == "")
            }
        }
    }

    @Test func `a client that leaves its last answer in our hands is cut before an idle one`() async throws {
        var configuration = HTTPServerConfiguration.patient
        configuration.writeTimeoutSeconds = 0.05
        try await withServer(configuration) { server, address in
            let idle = try RawClient(address)
            try await idle.send(get("/1"))
            #expect(try await idle.status() == 200)
            let client = try RawClient(address, receiveBytesMax: 4096)
            // So much fits into our socket's buffer, but not into the client's.
            let content = String(repeating: "a", count: 64 * 1024)
            try await client.send(
                "PUT /echo HTTP/1.1\r\nHost: a\r\nContent-Length: \(content.utf8.count)\r\n\r\n\(content)")
            try await eventually { server.statistics.connectionsOpen == 1 }
            try await idle.send(get("/2"))
            #expect(try await idle.response().body == "/2")
        }
    }

    // MARK: Inherited sockets

    @Test(arguments: [AF_INET, AF_INET6])
    func `a listening socket can be inherited, and serves its next owner`(family: Int32) async throws {
        let made = try Socket.stream(family: family)
        let bound = try made.listen(
            at: try #require(SocketAddress.resolve(family == AF_INET ? "127.0.0.1" : "::1").first), backlogMax: 16)
        for number in 1...2 {
            let server = HTTPServer(clock: { 0 }) { _ in .now(Response(status: .ok, body: Array("\(number)".utf8))) }
            #expect(try server.start(inheriting: dup(made.descriptor)) == bound)
            let client = try RawClient(bound)
            try await client.send(get("/1"))
            #expect(try await client.response().body == "\(number)")
            await server.stop(withinSeconds: 0)
        }
        // Nobody serves now, and yet the connection is taken.
        _ = try RawClient(bound)
    }

    @Test func `what does not listen can't be inherited`() async throws {
        let server = HTTPServer(clock: { 0 }) { _ in .now(Response(status: .ok)) }
        let file = open("/dev/null", O_RDONLY)
        #expect(throws: HTTPServerError.notListening(file)) { try server.start(inheriting: file) }
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #expect(throws: HTTPServerError.notListening(descriptor)) { try server.start(inheriting: descriptor) }
        let path = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        #expect(throws: HTTPServerError.notListening(path)) { try server.start(inheriting: path) }
        await server.stop(withinSeconds: 0)
        let late = try Socket.stream(family: AF_INET)
        #expect(throws: HTTPServerError.stopped) { try server.start(inheriting: dup(late.descriptor)) }
    }

    // MARK: Statistics

    @Test func `the server counts what it does`() async throws {
        var configuration = HTTPServerConfiguration.patient
        configuration.connectionsMax = 1
        try await withServer(configuration) { server, address in
            do {
                let first = try RawClient(address)
                try await first.send(get("/1"))
                #expect(try await first.status() == 200)
                #expect(try await RawClient(address).status() == 503)
                #expect(server.statistics.connectionsOpen == 1)
            }
            try await eventually { server.statistics.connectionsOpen == 0 }
            let statistics = server.statistics
            #expect(statistics.connectionsAccepted == 1)
            #expect(statistics.connectionsRefused == 1)
            #expect(statistics.handshakesFailed == 0)
            #expect(statistics.requestsInFlight == 0)
        }
    }
}
