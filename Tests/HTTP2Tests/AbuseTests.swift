import HTTP
import HTTP2
import HTTPTypes
import Testing

/// Floods and hoards. Each ends the connection before it has cost more than its limit, and each is named after what made it
/// known.
struct AbuseTests {
    /// More than any limit allows at once.
    private static let flood = 5000

    private func expectCalm(_ conversation: Conversation, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(conversation.goAway == .enhanceYourCalm, sourceLocation: sourceLocation)
        #expect(conversation.isClosed, sourceLocation: sourceLocation)
    }

    /// Sends a frame again and again, in pieces such as the network gives.
    private func send(_ frames: [Frame], times: Int = flood, to conversation: Conversation) {
        let bytes = frames.flatMap(\.bytes)
        let piece = Array(repeatElement(bytes, count: max(1, 16_384 / bytes.count)).joined())
        var sent = 0
        while sent < times * bytes.count, !conversation.isClosed {
            conversation.send(piece)
            sent += piece.count
        }
    }

    // MARK: CVE-2019-9511 to 9518

    @Test func `CVE-2019-9511 data dribble: windows of a byte at a time`() {
        let conversation = Conversation.begun(.settings((4, 0)))
        conversation.response.body = Array(repeating: 0x78, count: 100_000)
        conversation.send(.headers(1))
        send([.windowUpdate(1, 1)], to: conversation)
        expectCalm(conversation)
        #expect(conversation.frames(.data).count <= HTTP2Limits().windowUpdates.burst)
    }

    @Test func `CVE-2019-9511 data dribble: a response that is taken too slowly is cut`() {
        let conversation = Conversation.begun(.settings((4, 0)))
        conversation.send(.headers(1))
        for _ in 0..<4 {
            conversation.send(.windowUpdate(1, 1))
            conversation.wait(seconds: 5)
        }
        #expect(conversation.content(stream: 1) == "It i")
        #expect(conversation.reset(stream: 1) == .cancel)
        #expect(!conversation.isClosed)
    }

    @Test func `CVE-2019-9512 ping flood`() {
        let conversation = Conversation.begun()
        send([.ping()], to: conversation)
        expectCalm(conversation)
        #expect(conversation.frames(.ping).count == HTTP2Limits().pings.burst)
    }

    @Test func `CVE-2019-9512 ping flood: acknowledgements that nobody takes are bounded`() {
        let conversation = Conversation.begun()
        conversation.stopsReading = true
        send([.ping()], to: conversation)
        #expect(conversation.connection.outputBytes <= HTTP2Limits().pings.burst * 17 + 17)
    }

    @Test func `CVE-2019-9513 resource loop: priorities`() {
        let conversation = Conversation.begun()
        send((0..<100).map { .priority(1 + 2 * $0, on: 2 * $0) }, to: conversation)
        expectCalm(conversation)
    }

    @Test func `CVE-2019-9514 reset flood: requests that are malformed`() {
        let conversation = Conversation.begun()
        var stream: UInt32 = 1
        while stream < 2 * UInt32(Self.flood), !conversation.isClosed {
            conversation.send(.headers(stream, [(":method", "GET")]))
            stream += 2
        }
        expectCalm(conversation)
        #expect(conversation.frames(.resetStream).count <= HTTP2Limits().resetsSent.burst + 1)
        #expect(conversation.requests.isEmpty)
    }

    @Test func `CVE-2019-9515 settings flood`() {
        let conversation = Conversation.begun()
        send([.settings()], to: conversation)
        expectCalm(conversation)
        #expect(conversation.frames(.settings).count <= HTTP2Limits().settings.burst + 1)
    }

    @Test func `CVE-2019-9515 settings flood: one frame with many entries`() {
        let conversation = Conversation.begun()
        let entries = (0..<33).flatMap { _ in [0, 4, 0, 0, 0, 1] as [UInt8] }
        conversation.send(Frame(.settings, entries))
        expectCalm(conversation)
    }

    @Test(arguments: [[0, 0, 0], [0x40, 0, 0], [0x10, 0, 0]] as [[UInt8]])
    func `CVE-2019-9516 fields with neither name nor value take no memory`(field: [UInt8]) {
        let conversation = Conversation.begun()
        let block = Block.encode(Block.get) + Array(repeatElement(field, count: 3000).joined())
        conversation.send(Frame(.headers, flags: 5, stream: 1, block))
        #expect(conversation.requests.isEmpty)
        #expect(conversation.reset(stream: 1) == .protocolError)
    }

    @Test func `CVE-2019-9516 fields without name and value add up`() {
        let conversation = Conversation.begun()
        let field: [UInt8] = [0, 0, 0]
        let block = Block.encode(Block.get) + Array(repeatElement(field, count: 5000).joined())
        conversation.send(Frame(.headers, flags: 5, stream: 1, block))
        #expect(conversation.requests.isEmpty)
        expectCalm(conversation)
    }

    @Test func `CVE-2019-9517 a peer that takes no bytes has few made for it`() {
        let limits = HTTP2Limits()
        let conversation = Conversation.begun(.settings((4, 0x7FFF_FFFF)))
        conversation.send(.windowUpdate(0, 0x7FFF_0000))
        conversation.response.body = Array(repeating: 0x78, count: 300_000)
        conversation.stopsReading = true
        for stream in 0..<100 as Range<UInt32> { conversation.send(.headers(1 + 2 * stream)) }
        #expect(conversation.connection.outputBytes < limits.outputBytesMax + 16_384 + 9)
        // No more requests are handled than leave their responses waiting up to the limit and one beyond.
        #expect(conversation.requests.count == limits.waitingResponseBytesMax / 300_000 + 1)
        #expect(!conversation.connection.wantsBytes)
        conversation.wait(seconds: limits.writeTimeoutSeconds)
        #expect(conversation.isClosed)
        #expect(conversation.connection.outputBytes == 0)
    }

    @Test(
        arguments: [
            [Frame.data(1, "", ends: false)],
            [Frame(.data, flags: Frame.padded, stream: 1, [2, 0, 0])],
            [.headers(3, [], ends: false, endsBlock: false), .continuation(3, [])],
        ])
    func `CVE-2019-9518 empty frames flood`(frames: [Frame]) {
        let conversation = Conversation.begun()
        conversation.send(.post(1))
        send(frames, to: conversation)
        #expect(conversation.isClosed)
        #expect(conversation.requests.isEmpty)
    }

    @Test func `CVE-2019-9518 empty CONTINUATION flood`() {
        let conversation = Conversation.begun()
        conversation.send(.headers(1, endsBlock: false))
        send([.continuation(1, [], endsBlock: false)], to: conversation)
        expectCalm(conversation)
    }

    // MARK: CVE-2023-44487

    @Test func `CVE-2023-44487 rapid reset`() {
        let conversation = Conversation.begun()
        conversation.holdsAnswers = true
        for stream in 0..<UInt32(Self.flood) where !conversation.isClosed {
            conversation.send(.headers(1 + 2 * stream), .reset(1 + 2 * stream))
        }
        expectCalm(conversation)
        #expect(conversation.requests.count <= HTTP2Limits().concurrentStreamsMax)
    }

    @Test func `CVE-2023-44487 a request that was cancelled is in flight until its handler ends`() {
        let limits = HTTP2Limits()
        let conversation = Conversation.begun(limits: limits)
        conversation.holdsAnswers = true
        for stream in 0..<100 as Range<UInt32> {
            conversation.send(.headers(1 + 2 * stream))
            conversation.send(.reset(1 + 2 * stream))
        }
        #expect(conversation.connection.streamsOpen == 0)
        #expect(conversation.connection.requestsInFlight == 100)
        conversation.send(.headers(201))
        #expect(conversation.requests.count == 100)
        conversation.answer(stream: 1)
        #expect(conversation.requests.count == 101)
        #expect(conversation.frames(.headers).isEmpty)
        conversation.answer(stream: 201)
        #expect(conversation.content(stream: 201) == "It is well.")
    }

    @Test func `CVE-2023-44487 resets at a lawful pace are no attack`() {
        let conversation = Conversation.begun()
        for stream in 0..<2000 as Range<UInt32> {
            conversation.send(.post(1 + 2 * stream), .reset(1 + 2 * stream))
            if stream % 10 == 9 { conversation.wait(seconds: 1) }
        }
        #expect(conversation.goAway == nil)
        #expect(!conversation.isClosed)
    }

    // MARK: CVE-2024-28182 and its family

    @Test func `CVE-2024-28182 CONTINUATION flood`() {
        let conversation = Conversation.begun()
        conversation.send(.headers(1, endsBlock: false))
        send([.continuation(1, [("x", "y")], endsBlock: false)], to: conversation)
        expectCalm(conversation)
        #expect(conversation.requests.isEmpty)
    }

    @Test func `CVE-2024-28182 CONTINUATION up to the limit are taken`() {
        let conversation = Conversation.begun()
        conversation.send(.headers(1, endsBlock: false))
        for _ in 0..<7 { conversation.send(.continuation(1, endsBlock: false)) }
        conversation.send(.continuation(1))
        #expect(conversation.requests.count == 1)
    }

    @Test func `CVE-2024-28182 a header block that grows in large frames`() {
        let conversation = Conversation.begun()
        conversation.send(.headers(1, endsBlock: false))
        for _ in 0..<5 {
            conversation.send(.continuation(1, [("x", String(repeating: "y", count: 16_000))], endsBlock: false))
        }
        expectCalm(conversation)
    }

    @Test func `CVE-2024-28182 a header block that is never ended`() {
        let conversation = Conversation.begun()
        conversation.send(.headers(1, endsBlock: false))
        conversation.wait(seconds: HTTP2Limits().headerTimeoutSeconds)
        expectCalm(conversation)
    }

    // MARK: CVE-2025-8671

    static let madeResets: [(String, @Sendable (UInt32) -> [Frame])] = [
        ("an increment of 0", { [.headers($0), .windowUpdate($0, 0)] }),
        ("a window beyond the largest", { [.headers($0), .windowUpdate($0, 0x7FFF_FFFF)] }),
        ("second HEADERS that end nothing", { [.post($0), .headers($0, Block.dummy, ends: false)] }),
        ("content beyond its length", { [.post($0, [("content-length", "1")]), .data($0)] }),
        ("content short of its length", { [.post($0, [("content-length", "9")]), .data($0)] }),
        ("DATA after END_STREAM", { [.headers($0), .data($0)] }),
        ("HEADERS after END_STREAM", { [.headers($0), .headers($0)] }),
        ("PRIORITY of 4 bytes", { [.headers($0), Frame(.priority, stream: $0, [0, 0, 0, 0])] }),
        ("a dependency on itself", { [.headers($0), .priority($0, on: $0)] }),
        ("DATA beyond the largest frame", { [.post($0), .data($0, String(repeating: "x", count: 16_385))] }),
    ]

    @Test(arguments: madeResets.indices)
    func `CVE-2025-8671 resets that the server is made to send`(index: Int) {
        let conversation = Conversation.begun()
        conversation.holdsAnswers = true
        for number in 0..<UInt32(Self.flood) where !conversation.isClosed {
            conversation.send(Self.madeResets[index].1(1 + 2 * number).flatMap(\.bytes))
        }
        let limits = HTTP2Limits()
        #expect(conversation.isClosed, "\(Self.madeResets[index].0)")
        #expect(conversation.frames(.resetStream).count <= limits.resetsSent.burst + 1)
        #expect(conversation.requests.count <= limits.concurrentStreamsMax)
        #expect(conversation.connection.requestsInFlight <= limits.concurrentStreamsMax)
    }

    // MARK: Others

    @Test func `an HPACK bomb is refused while it is decoded`() {
        let conversation = Conversation.begun()
        // One entry of almost the whole table, and then a byte for each time that it is named.
        let entry = Block.indexed("x", String(repeating: "y", count: 4000))
        conversation.send(
            Frame(.headers, flags: 5, stream: 1, Block.encode(Block.get) + entry + Array(repeating: 0xBE, count: 10)))
        #expect(conversation.content(stream: 1) == "431")
        conversation.send(
            Frame(.headers, flags: 5, stream: 3, Block.encode(Block.get) + Array(repeating: 0xBE, count: 10_000)))
        expectCalm(conversation)
        #expect(conversation.requests.isEmpty)
    }

    @Test func `a table as large as the peer allows is not used`() {
        let conversation = Conversation.begun(.settings((1, 0xFFFF_FFFF)))
        for stream in 0..<200 as Range<UInt32> {
            let value = "\(stream)" + String(repeating: "z", count: 1000)
            conversation.response.head.headerFields[.eTag] = value
            conversation.send(.headers(1 + 2 * stream))
        }
        // The encoder begins by saying what size it will use: 4,096.
        #expect(conversation.frames(.headers)[0].payload.starts(with: [0x3F, 0xE1, 0x1F]))
        #expect(conversation.requests.count == 200)
    }

    @Test func `requests that are never ended`() {
        let limits = HTTP2Limits()
        let conversation = Conversation.begun()
        for stream in 0..<100 as Range<UInt32> { conversation.send(.post(1 + 2 * stream)) }
        conversation.wait(seconds: limits.bodyTimeoutSeconds)
        conversation.wait(seconds: limits.lingerTimeoutSeconds)
        for stream in 0..<100 as Range<UInt32> {
            #expect(conversation.content(stream: 1 + 2 * stream) == "408")
            #expect(conversation.reset(stream: 1 + 2 * stream) == .noError)
        }
        #expect(conversation.connection.streamsOpen == 0)
        // Nothing else was asked for, so the connection ends as well.
        conversation.wait(seconds: limits.stopTimeoutSeconds)
        #expect(conversation.connection.phase == .closing)
    }

    @Test func `content of requests that no handler has is bounded over all streams`() {
        var limits = HTTP2Limits()
        limits.waitingRequestBytesMax = 100_000
        let conversation = Conversation.begun(limits: limits)
        for stream in 0..<10 as Range<UInt32> {
            conversation.send(.post(1 + 2 * stream))
            conversation.send(.data(1 + 2 * stream, String(repeating: "x", count: 16_000), ends: false))
        }
        #expect(
            (0..<10).map { conversation.reset(stream: 1 + 2 * $0) } == Array(repeating: nil, count: 6)
                + Array(repeating: .refusedStream, count: 4))
        conversation.send(.data(1))
        #expect(conversation.requests.map(\.body.count) == [16_004])
    }

    @Test func `unknown frames flood`() {
        let conversation = Conversation.begun()
        send([Frame(.unknown, stream: 1)], to: conversation)
        expectCalm(conversation)
    }

    @Test func `frames that dribble in are no activity`() {
        let limits = HTTP2Limits()
        let conversation = Conversation.begun()
        for byte in Frame.ping().bytes {
            conversation.send([byte])
            conversation.wait(seconds: 1)
        }
        expectCalm(conversation)
        #expect(limits.headerTimeoutSeconds < Frame.ping().bytes.count)
    }

    @Test func `pings keep no connection open`() {
        let limits = HTTP2Limits()
        let conversation = Conversation.begun()
        for _ in 0..<limits.idleTimeoutSeconds {
            conversation.wait(seconds: 1)
            conversation.send(.ping())
        }
        #expect(conversation.goAway == .noError)
        #expect(conversation.isClosed)
    }
}
