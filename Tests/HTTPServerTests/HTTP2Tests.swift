import HTTP
import HTTP2
import HTTPServer
import HTTPTypes
import Testing

@Suite(.timeLimit(.minutes(30)))
struct HTTP2Tests {
    @Test func `a client that begins with the preface is answered in HTTP 2`() async throws {
        try await withServer { server, address in
            let client = StreamClient(try RawClient(address))
            #expect(try await client.get("/1") == "/1")
            #expect(try await client.get("/scheme") == "http")
            #expect(try await client.get("/peer") == "127.0.0.1")
            #expect(server.statistics.http2Connections == 1)
            #expect(server.statistics.streams == 3)
        }
    }

    @Test func `a preface that comes byte by byte is known`() async throws {
        try await withServer { server, address in
            let client = StreamClient(PiecewiseChannel(raw: try RawClient(address)))
            #expect(try await client.get("/1") == "/1")
            #expect(server.statistics.http2Connections == 1)
        }
    }

    @Test(arguments: ["PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n", "PRI * HTTP/2.0\r\nHost: a\r\n\r\n"])
    func `what only resembles the preface is HTTP 1.1`(bytes: String) async throws {
        try await withServer(.lingering) { server, address in
            let client = try RawClient(address)
            for byte in Array(bytes.utf8.prefix(18)) { try await client.send([byte]) }
            try await client.send(Array(bytes.utf8.dropFirst(18)))
            #expect(try await client.status() == 505)
            #expect(server.statistics.http2Connections == 0)
        }
    }

    @Test func `a preface that does not come to an end is answered 408`() async throws {
        var configuration = HTTPServerConfiguration.patient
        configuration.headerTimeoutSeconds = 0.05
        try await withServer(configuration) { _, address in
            let client = try RawClient(address)
            try await client.send("PRI * HTTP/2.0\r\n")
            #expect(try await client.status() == 408)
            #expect(try await client.remainder() == "")
        }
    }

    @Test func `many streams are in flight at once`() async throws {
        let gate = Gate()
        try await withServer(gate: gate) { server, address in
            let client = StreamClient(try RawClient(address))
            let streams = try await client.submit([String](repeating: "/gated", count: 100))
            #expect(streams.count == 100)
            await gate.arrivals(100)
            #expect(server.statistics.requestsInFlight == 100)
            gate.open()
            for stream in streams {
                let response = try await client.response(stream)
                #expect(response?.body == Array("gated".utf8))
            }
            #expect(server.statistics.requestsInFlight == 0)
        }
    }

    @Test func `a stream does not wait for another`() async throws {
        let gate = Gate()
        try await withServer(gate: gate) { _, address in
            let client = StreamClient(try RawClient(address))
            let held = try #require(try await client.submit(["/gated"]).first)
            await gate.arrivals(1)
            #expect(try await client.get("/1") == "/1")
            gate.open()
            #expect(try await client.response(held)?.body == Array("gated".utf8))
        }
    }

    @Test func `content goes both ways`() async throws {
        try await withServer { _, address in
            let content = [UInt8](repeating: 0x61, count: 1024 * 1024)
            let client = StreamClient(try RawClient(address))
            let stream = try #require(try await client.submit(["/echo"], method: .put, body: content).first)
            #expect(try await client.response(stream)?.body == content)
        }
    }

    @Test(arguments: ["/cut", "/gatedcut"])
    func `a request that is cut ends its stream and no other`(path: String) async throws {
        let gate = Gate()
        try await withServer(gate: gate) { _, address in
            let client = StreamClient(try RawClient(address))
            let streams = try await client.submit([path, "/1"])
            gate.open()
            #expect(try await client.response(streams[0]) == nil)
            #expect(try await client.response(streams[1])?.body == Array("/1".utf8))
            #expect(try await client.get("/2") == "/2")
        }
    }

    @Test func `a request that is refused for its size ends no other`() async throws {
        try await withServer { _, address in
            let client = StreamClient(try RawClient(address))
            let content = [UInt8](repeating: 0x61, count: 1024 * 1024 + 1)
            let stream = try #require(try await client.submit(["/echo"], method: .put, body: content).first)
            #expect(try await client.response(stream)?.head.status.code == 413)
            #expect(try await client.get("/1") == "/1")
        }
    }

    @Test func `a client that never reads is cut`() async throws {
        var configuration = HTTPServerConfiguration.patient
        configuration.http2Limits.writeTimeoutSeconds = 1
        configuration.writeTimeoutSeconds = 1
        try await withServer(configuration) { server, address in
            let client = StreamClient(
                try RawClient(address, receiveBytesMax: 4096), streamWindowBytes: 2 * largeBytes)
            _ = try await client.submit(["/large"])
            try await eventually {
                server.statistics.connectionsAccepted == 1 && server.statistics.connectionsOpen == 0
            }
        }
    }

    @Test func `a client whose window is shut holds nobody up and is not waited for`() async throws {
        var configuration = HTTPServerConfiguration.patient
        configuration.eventLoopCount = 1
        configuration.http2Limits.writeTimeoutSeconds = 1
        try await withServer(configuration) { _, address in
            let client = StreamClient(try RawClient(address), streamWindowBytes: 0)
            let stream = try #require(try await client.submit(["/1"]).first)
            let other = StreamClient(try RawClient(address))
            #expect(try await other.get("/2") == "/2")
            #expect(try await client.response(stream) == nil)
        }
    }

    @Test func `a connection on which nothing comes is closed`() async throws {
        var configuration = HTTPServerConfiguration.patient
        configuration.http2Limits.idleTimeoutSeconds = 1
        try await withServer(configuration) { _, address in
            let client = StreamClient(try RawClient(address))
            #expect(try await client.get("/1") == "/1")
            try await client.end()
            #expect(await client.goAways.count == 1)
        }
    }

    @Test func `a client that leaves with requests in flight leaves nothing behind`() async throws {
        let gate = Gate()
        try await withServer(gate: gate) { server, address in
            for isReset in [true, false] {
                let raw = try RawClient(address)
                let client = StreamClient(raw)
                _ = try await client.submit(["/gated", "/gated"])
                await gate.arrivals(isReset ? 2 : 4)
                if isReset { await raw.resetOnClose() }
            }
            try await eventually { server.statistics.connectionsOpen == 0 }
            gate.open()
            try await eventually { server.statistics.requestsInFlight == 0 }
        }
    }

    @Test func `a stream too many for the server is answered 503 and the connection goes on`() async throws {
        var configuration = HTTPServerConfiguration.patient
        configuration.requestsMax = 1
        let gate = Gate()
        try await withServer(configuration, gate: gate) { _, address in
            let client = StreamClient(try RawClient(address))
            let held = try #require(try await client.submit(["/gated"]).first)
            await gate.arrivals(1)
            let refused = try #require(try await client.submit(["/1"]).first)
            let response = try #require(try await client.response(refused))
            #expect(response.head.status.code == 503)
            #expect(response.head.headerFields[.retryAfter] == "1")
            gate.open()
            #expect(try await client.response(held)?.head.status.code == 200)
            #expect(try await client.get("/2") == "/2")
        }
    }

    // MARK: Stopping

    @Test func `a stream in flight is answered after the client is told that the connection ends`() async throws {
        let gate = Gate()
        try await withServer(gate: gate) { server, address in
            let client = StreamClient(try RawClient(address))
            let stream = try #require(try await client.submit(["/gated"]).first)
            await gate.arrivals(1)
            async let cutCount = server.stop(withinSeconds: 3600)
            try await client.goAway(count: 2)
            #expect(await client.goAways == [Int32.max, stream])
            gate.open()
            #expect(try await client.response(stream)?.body == Array("gated".utf8))
            try await client.end()
            #expect(await cutCount == 0)
        }
    }

    @Test func `an idle connection ends`() async throws {
        try await withServer { server, address in
            let client = StreamClient(try RawClient(address))
            #expect(try await client.get("/1") == "/1")
            async let cutCount = server.stop(withinSeconds: 3600)
            try await client.end()
            #expect(await client.goAways.first == Int32.max)
            #expect(await cutCount == 0)
        }
    }

    @Test func `a stream that is not answered at the deadline is cut`() async throws {
        let gate = Gate()
        try await withServer(gate: gate) { server, address in
            let client = StreamClient(try RawClient(address))
            _ = try await client.submit(["/gated"])
            await gate.arrivals(1)
            #expect(await server.stop(withinSeconds: 0.05) == 1)
        }
    }
}

/// Sends byte by byte.
private struct PiecewiseChannel: ByteChannel {
    let raw: RawClient
    func send(_ bytes: [UInt8]) async throws { for byte in bytes { try await raw.send([byte]) } }
    func receiveSome() async throws -> [UInt8] { try await raw.receiveSome() }
}
