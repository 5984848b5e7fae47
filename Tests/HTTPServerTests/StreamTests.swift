import HTTP
import HTTPServer
import Testing

/// Responses that are produced while they are sent.
@Suite(.timeLimit(.minutes(30)))
struct StreamTests {
    @Test func `pieces are sent as chunks while the stream goes on`() async throws {
        let stream = TestStream()
        try await withServer(stream: stream) { _, address in
            let client = try RawClient(address)
            try await client.send(get("/stream") + get("/2"))
            let head = try await client.response().head
            #expect(head.contains("\r\nTransfer-Encoding: chunked"))
            #expect(!head.contains("Content-Length"))
            stream.feed("one")
            #expect(try await client.text(count: 8) == "3\r\none\r\n")
            stream.feed("of seventeen byte")
            #expect(try await client.text(count: 23) == "11\r\nof seventeen byte\r\n")
            stream.end()
            #expect(try await client.text(count: 5) == "0\r\n\r\n")
            // The pipelined request is answered on the same connection.
            #expect(try await client.response().body == "/2")
        }
    }

    @Test func `for HTTP 1.0 the end of the connection ends the stream`() async throws {
        let stream = TestStream()
        try await withServer(stream: stream) { _, address in
            let client = try RawClient(address)
            try await client.send("GET /stream HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            let head = try await client.response().head
            #expect(!head.contains("Transfer-Encoding"))
            #expect(head.contains("\r\nConnection: close"))
            stream.feed("one")
            stream.feed("two")
            stream.end()
            #expect(try await client.remainder() == "onetwo")
        }
    }

    @Test func `HEAD gets the head alone, and the stream is canceled`() async throws {
        let stream = TestStream()
        try await withServer(stream: stream) { _, address in
            let client = try RawClient(address)
            try await client.send("HEAD /stream HTTP/1.1\r\nHost: a\r\n\r\n" + get("/2"))
            #expect(try await client.response().head.contains("\r\nTransfer-Encoding: chunked"))
            await stream.canceled()
            #expect(try await client.response().body == "/2")
        }
    }

    @Test(arguments: [false, true])
    func `a client that disconnects cancels its stream`(isReset: Bool) async throws {
        let stream = TestStream()
        try await withServer(stream: stream) { server, address in
            do {
                let client = try RawClient(address)
                try await client.send(get("/stream"))
                _ = try await client.response()
                if isReset { await client.resetOnClose() }
            }
            await stream.canceled()
            try await eventually { server.statistics.connectionsOpen == 0 }
        }
    }

    @Test func `a client that ends its requests cancels its stream`() async throws {
        let stream = TestStream()
        try await withServer(stream: stream) { _, address in
            let client = try RawClient(address)
            try await client.send(get("/stream"))
            _ = try await client.response()
            await client.sendEnd()
            await stream.canceled()
        }
    }

    @Test func `a stream is produced no faster than its client reads`() async throws {
        let stream = EndlessStream()
        try await withServer(stream: stream) { _, address in
            let client = try RawClient(address, receiveBytesMax: 65_536)
            try await client.send(get("/stream"))
            var received = 0
            while received < 4 * EndlessStream.socketBytesMax {
                let count = try await client.receiveSome().count
                received += count
                stream.noteReceived(count)
            }
            #expect(stream.aheadMax < EndlessStream.socketBytesMax)
        }
    }

    @Test func `a client that reads nothing loses its stream after the deadline of writes`() async throws {
        let stream = EndlessStream()
        var configuration = HTTPServerConfiguration.patient
        configuration.writeTimeoutSeconds = 0.05
        try await withServer(configuration, stream: stream) { server, address in
            let client = try RawClient(address, receiveBytesMax: 65_536)
            try await client.send(get("/stream"))
            try await eventually { server.statistics.connectionsOpen == 0 }
            #expect(stream.aheadMax < EndlessStream.socketBytesMax)
        }
    }

    @Test func `a stream without a piece has no deadline`() async throws {
        let stream = TestStream()
        var configuration = HTTPServerConfiguration.patient
        configuration.eventLoopCount = 1
        configuration.idleTimeoutSeconds = 0.02
        configuration.writeTimeoutSeconds = 0.02
        try await withServer(configuration, stream: stream) { _, address in
            let client = try RawClient(address)
            try await client.send(get("/stream"))
            _ = try await client.response()
            // Connections that wait for longer than the deadlines are closed in the meantime.
            for _ in 0..<3 {
                let idle = try RawClient(address)
                try await idle.send(get("/2"))
                #expect(try await idle.response().body == "/2")
                #expect(try await idle.remainder() == "")
            }
            stream.feed("late")
            #expect(try await client.text(count: 9) == "4\r\nlate\r\n")
        }
    }

    @Test func `a server that stops ends its streams`() async throws {
        let stream = TestStream()
        try await withServer(stream: stream) { server, address in
            let client = try RawClient(address)
            try await client.send(get("/stream"))
            _ = try await client.response()
            stream.feed("one")
            #expect(try await client.text(count: 8) == "3\r\none\r\n")
            #expect(await server.stop(withinSeconds: 3600) == 0)
            #expect(try await client.remainder() == "0\r\n\r\n")
        }
    }

    // MARK: HTTP/2

    @Test func `an HTTP 2 stream is sent while others are answered`() async throws {
        let stream = TestStream()
        try await withServer(stream: stream) { _, address in
            let client = StreamClient(try RawClient(address))
            let followed = try #require(try await client.submit(["/stream"]).first)
            stream.feed("one")
            #expect(try await client.get("/2") == "/2")
            stream.feed("two")
            stream.end()
            let response = try await client.response(followed)
            #expect(response.map { String(decoding: $0.body, as: UTF8.self) } == "onetwo")
        }
    }

    @Test func `an HTTP 2 stream that is reset is canceled`() async throws {
        let stream = TestStream()
        try await withServer(stream: stream) { _, address in
            let client = StreamClient(try RawClient(address))
            let followed = try #require(try await client.submit(["/stream"]).first)
            #expect(try await client.get("/2") == "/2")
            try await client.reset(followed)
            await stream.canceled()
            #expect(try await client.get("/3") == "/3")
        }
    }

    @Test func `an HTTP 2 server that stops ends its streams`() async throws {
        let stream = TestStream()
        try await withServer(stream: stream) { server, address in
            let client = StreamClient(try RawClient(address))
            let followed = try #require(try await client.submit(["/stream"]).first)
            #expect(try await client.get("/2") == "/2")
            stream.feed("one")
            async let cutCount = server.stop(withinSeconds: 3600)
            #expect(try await client.response(followed)?.body == Array("one".utf8))
            #expect(await cutCount == 0)
        }
    }
}
