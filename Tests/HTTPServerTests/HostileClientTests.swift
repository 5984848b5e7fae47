import HTTP
import HTTPServer
import HTTPTypes
import Testing

@Suite(.timeLimit(.minutes(30)))
struct HostileClientTests {
    @Test func `a slow reader holds nobody up`() async throws {
        var configuration = HTTPServerConfiguration.patient
        configuration.eventLoopCount = 1
        try await withServer(configuration) { _, address in
            let slow = try RawClient(address, receiveBytesMax: 4096)
            try await slow.send(String(repeating: get("/large"), count: 20))
            let other = try RawClient(address)
            for _ in 0..<100 {
                try await other.send(get("/1"))
                #expect(try await other.status() == 200)
            }
            #expect(try await slow.response().body.utf8.count == largeBytes)
            try await other.send(get("/2"))
            #expect(try await other.response().body == "/2")
        }
    }

    @Test func `a client that never reads is cut`() async throws {
        var configuration = HTTPServerConfiguration.patient
        configuration.writeTimeoutSeconds = 0.05
        configuration.connectionsMax = 1
        try await withServer(configuration) { _, address in
            let client = try RawClient(address, receiveBytesMax: 4096)
            try await client.send(get("/large"))
            try await serves(address)
            #expect(await client.drain() < largeBytes)
        }
    }

    @Test(arguments: ["", "Connection: close\r\n"])
    func `a client that does not take an answer which the kernel holds is reset`(field: String) async throws {
        var configuration = HTTPServerConfiguration.patient
        configuration.writeTimeoutSeconds = 0.05
        configuration.lingerTimeoutSeconds = 0.02
        try await withServer(configuration) { server, address in
            let client = try RawClient(address, receiveBytesMax: 4096)
            let content = String(repeating: "x", count: 100_000)
            try await client.send("POST /echo HTTP/1.1\r\nHost: a\r\n\(field)Content-Length: 100000\r\n\r\n" + content)
            try await eventually { server.statistics.connectionsOpen == 0 }
            #expect(await client.drain() < 100_000)
        }
    }

    @Test func `a client that takes the last answer late is waited for no longer than until then`() async throws {
        var configuration = HTTPServerConfiguration.patient
        configuration.lingerTimeoutSeconds = 0.02
        try await withServer(configuration) { server, address in
            let client = try RawClient(address, receiveBytesMax: 4096)
            let content = String(repeating: "x", count: 100_000)
            try await client.send(
                "POST /echo HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 100000\r\n\r\n" + content)
            // That the client has taken nothing when the server first looks is likely, and not needed.
            try await Task.sleep(for: .milliseconds(100))
            #expect(await client.drain() > 100_000)
            // The client leaves its own side open.
            try await eventually { server.statistics.connectionsOpen == 0 }
        }
    }

    @Test func `a client that does not take an answer over HTTP 2 which the kernel holds is reset`() async throws {
        var configuration = HTTPServerConfiguration.patient
        configuration.writeTimeoutSeconds = 0.05
        try await withServer(configuration) { server, address in
            let raw = try RawClient(address, receiveBytesMax: 4096)
            let client = StreamClient(raw)
            _ = try await client.submit(["/echo"], method: .post, body: [UInt8](repeating: 0x78, count: 60_000))
            try await eventually { server.statistics.http2Connections == 1 && server.statistics.connectionsOpen == 0 }
            #expect(await raw.drain() < 60_000)
        }
    }

    @Test(arguments: ["GET / HTT", "GET / HTTP/1.1\r\nHost: a\r\n", "\r\n"])
    func `a head that does not come is answered 408`(bytes: String) async throws {
        var configuration = HTTPServerConfiguration.patient
        configuration.headerTimeoutSeconds = 0.05
        try await withServer(configuration) { _, address in
            let client = try RawClient(address)
            try await client.send(bytes)
            #expect(try await client.status() == 408)
            #expect(try await client.remainder() == "")
        }
    }

    @Test(arguments: [
        "Content-Length: 5\r\n\r\nhell", "Content-Length: 5\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n5\r\nhell",
    ])
    func `content that does not come is answered 408`(bytes: String) async throws {
        for isStalled in [true, false] {
            var configuration = HTTPServerConfiguration.patient
            if isStalled {
                configuration.bodyStallTimeoutSeconds = 0.05
            } else {
                configuration.bodyTimeoutSeconds = 0.05
            }
            try await withServer(configuration) { _, address in
                let client = try RawClient(address)
                try await client.send("PUT / HTTP/1.1\r\nHost: a\r\n" + bytes)
                #expect(try await client.status() == 408)
                #expect(try await client.remainder() == "")
            }
        }
    }

    @Test func `a connection on which nothing comes is closed without a word`() async throws {
        var configuration = HTTPServerConfiguration.patient
        configuration.headerTimeoutSeconds = 0.05
        try await withServer(configuration) { _, address in
            let client = try RawClient(address)
            #expect(try await client.remainder() == "")
        }
    }

    @Test func `an idle connection is closed without a word`() async throws {
        var configuration = HTTPServerConfiguration.patient
        configuration.idleTimeoutSeconds = 0.05
        try await withServer(configuration) { _, address in
            let client = try RawClient(address)
            try await client.send(get("/1"))
            #expect(try await client.status() == 200)
            #expect(try await client.remainder() == "")
        }
    }

    @Test func `a connection that this server closes and the client does not is cut`() async throws {
        var configuration = HTTPServerConfiguration.patient
        configuration.lingerTimeoutSeconds = 0.05
        configuration.connectionsMax = 1
        try await withServer(configuration) { _, address in
            let client = try RawClient(address)
            try await client.send("GET / HTTP/1.1\r\n\r\n")
            #expect(try await client.status() == 400)
            try await serves(address)
        }
    }

    @Test func `a connection too many is answered 503, and served when there is room`() async throws {
        var configuration = HTTPServerConfiguration.patient
        configuration.connectionsMax = 1
        configuration.retryAfterSeconds = 7
        try await withServer(configuration) { _, address in
            do {
                let first = try RawClient(address)
                try await first.send(get("/1"))
                #expect(try await first.status() == 200)
                let second = try RawClient(address)
                let (head, _) = try await second.response()
                #expect(head.hasPrefix("HTTP/1.1 503 "))
                #expect(head.contains("\r\nRetry-After: 7\r\n"))
                #expect(try await second.remainder() == "")
                try await first.send(get("/2"))
                #expect(try await first.response().body == "/2")
            }
            try await serves(address)
        }
    }

    @Test(arguments: [true, false])
    func `a client that leaves amid its content leaves nothing behind`(isReset: Bool) async throws {
        var configuration = HTTPServerConfiguration.patient
        configuration.connectionsMax = 1
        try await withServer(configuration) { _, address in
            for _ in 0..<20 {
                do {
                    let client = try RawClient(address)
                    try await client.send("PUT /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhe")
                    if isReset { await client.resetOnClose() }
                }
                try await serves(address)
            }
        }
    }

    @Test(arguments: [true, false])
    func `a client that leaves before its answer leaves nothing behind`(isReset: Bool) async throws {
        var configuration = HTTPServerConfiguration.patient
        configuration.connectionsMax = 1
        let gate = Gate()
        try await withServer(configuration, gate: gate) { _, address in
            do {
                let client = try RawClient(address)
                try await client.send(get("/gated"))
                await gate.arrivals(1)
                if isReset { await client.resetOnClose() }
            }
            gate.open()
            try await serves(address)
        }
    }

    @Test func `pipelining behind a request in flight is bounded by the client's own buffers`() async throws {
        let gate = Gate()
        try await withServer(gate: gate) { _, address in
            let client = try RawClient(address)
            try await client.send(get("/gated"))
            await gate.arrivals(1)
            try await withThrowingTaskGroup { group in
                let flood = Array(String(repeating: get("/2"), count: 20_000).utf8)
                group.addTask { try? await client.send(flood) }
                gate.open()
                #expect(try await client.response().body == "gated")
                for _ in 0..<20_000 { #expect(try await client.status() == 200) }
                try await group.waitForAll()
            }
        }
    }

    /// Tries until a new connection is served; the suite's time limit ends it if none ever is.
    private func serves(_ address: BoundAddress) async throws {
        while true {
            let client = try RawClient(address)
            try? await client.send(get("/1"))
            if (try? await client.status()) == 200 { return }
            await Task.yield()
        }
    }
}
