import Glibc
import HTTP
import HTTPServer
import HTTPTypes
import Testing

@Suite(.timeLimit(.minutes(30)))
struct StopTests {
    @Test func `a request in flight is finished and told that the connection ends`() async throws {
        let gate = Gate()
        try await withServer(oneLoop, gate: gate) { server, address in
            let client = try RawClient(address)
            let idle = try await idleClient(address)
            try await client.send(get("/gated") + get("/2"))
            await gate.arrivals(1)
            async let cutCount = server.stop(withinSeconds: 3600)
            // Both connections are told in one go, so this one knows that the other was.
            #expect(try await idle.remainder() == "")
            gate.open()
            let (head, body) = try await client.response()
            #expect(body == "gated")
            #expect(head.contains("\r\nConnection: close"))
            #expect(try await client.remainder() == "")
            #expect(await cutCount == 0)
        }
    }

    @Test func `a server that stops refuses connections while it finishes`() async throws {
        let gate = Gate()
        try await withServer(oneLoop, gate: gate) { server, address in
            let client = try RawClient(address)
            let idle = try await idleClient(address)
            try await client.send(get("/gated"))
            await gate.arrivals(1)
            async let cutCount = server.stop(withinSeconds: 3600)
            #expect(try await idle.remainder() == "")
            #expect(throws: RawClient.Failure(call: "connect", errno: ECONNREFUSED)) { try RawClient(address) }
            gate.open()
            #expect(try await client.response().body == "gated")
            #expect(await cutCount == 0)
        }
    }

    @Test func `an idle connection is closed at once`() async throws {
        try await withServer { server, address in
            let client = try await idleClient(address)
            await server.stop(withinSeconds: 3600)
            #expect(try await client.remainder() == "")
        }
    }

    @Test func `what comes on an idle connection in the grace is answered, and told that the connection ends`()
        async throws
    {
        var configuration = oneLoop
        configuration.stopGraceSeconds = 3600
        try await withServer(configuration) { server, address in
            let clients = [try await idleClient(address), try await idleClient(address)]
            let streams = StreamClient(try RawClient(address))
            #expect(try await streams.get("/1") == "/1")
            async let cutCount = server.stop(withinSeconds: 3600)
            // All connections are told in one go, so this one knows that the others were.
            try await streams.goAway()
            for client in clients {
                try await client.send(get("/2"))
                let (head, body) = try await client.response()
                #expect(body == "/2")
                #expect(head.contains("\r\nConnection: close"))
                #expect(try await client.remainder() == "")
            }
            #expect(await cutCount == 0)
        }
    }

    @Test func `an idle connection is closed when the grace is over`() async throws {
        var configuration = oneLoop
        configuration.stopGraceSeconds = 0.02
        try await withServer(configuration) { server, address in
            let client = try await idleClient(address)
            #expect(await server.stop(withinSeconds: 3600) == 0)
            #expect(try await client.remainder() == "")
        }
    }

    @Test func `a request that has half arrived is finished`() async throws {
        try await withServer(oneLoop) { server, address in
            let client = try RawClient(address)
            let idle = try await idleClient(address)
            try await client.send(get("/1") + "PUT /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhe")
            #expect(try await client.status() == 200)
            async let cutCount = server.stop(withinSeconds: 3600)
            #expect(try await idle.remainder() == "")
            try await client.send("llo")
            let (head, body) = try await client.response()
            #expect(body == "hello")
            #expect(head.contains("\r\nConnection: close"))
            #expect(try await client.remainder() == "")
            #expect(await cutCount == 0)
        }
    }

    @Test func `a client that has connected is still served once`() async throws {
        try await withServer(.lingering) { server, address in
            let client = try RawClient(address)
            async let cutCount = server.stop(withinSeconds: 3600)
            try await client.send(get("/1"))
            let (head, body) = try await client.response()
            #expect(body == "/1")
            #expect(head.hasPrefix("HTTP/1.1 200 OK"))
            await client.sendEnd()
            #expect(await cutCount == 0)
        }
    }

    @Test func `what is not finished at the deadline is cut`() async throws {
        let gate = Gate()
        try await withServer(gate: gate) { server, address in
            let client = try RawClient(address)
            try await client.send(get("/gated"))
            await gate.arrivals(1)
            #expect(await server.stop(withinSeconds: 0.05) == 1)
            #expect(await client.drain() == 0)
        }
    }

    @Test func `a server that was stopped can't be started`() async throws {
        try await withServer { server, _ in
            await server.stop(withinSeconds: 0)
            #expect(throws: HTTPServerError.stopped) { try server.start(host: "127.0.0.1", port: 0) }
        }
    }

    private var oneLoop: HTTPServerConfiguration {
        var configuration = HTTPServerConfiguration.patient
        configuration.eventLoopCount = 1
        return configuration
    }

    /// A client that has been answered and asks for nothing more.
    private func idleClient(_ address: BoundAddress) async throws -> RawClient {
        let client = try RawClient(address)
        try await client.send(get("/1"))
        #expect(try await client.status() == 200)
        return client
    }
}
