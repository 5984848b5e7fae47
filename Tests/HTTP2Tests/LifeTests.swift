import HTTP
import HTTP2
import HTTPTypes
import Testing

/// How a connection begins, waits and ends.
struct LifeTests {
    @Test func `the first bytes are the settings, with every limit`() {
        let limits = HTTP2Limits()
        let conversation = Conversation()
        conversation.advance()
        #expect(
            conversation.frames.first
                == .settings((1, 0), (3, 100), (4, 65_536), (5, 16_384), (6, 32_768), (9, 1)))
        #expect(conversation.frames.last == .windowUpdate(0, UInt32(limits.connectionWindowBytes - 65_535)))
    }

    @Test func `a stop is told twice, and what comes in between is answered`() {
        let conversation = Conversation.begun()
        conversation.holdsAnswers = true
        conversation.send(.headers(1))
        conversation.connection.stop()
        conversation.advance()
        #expect(conversation.frames(.goAway) == [.goAway(0, last: 0x7FFF_FFFF)])
        conversation.send(.headers(3))
        conversation.send(Frame(.ping, flags: 1, conversation.frames(.ping)[0].payload))
        #expect(conversation.frames(.goAway).last == .goAway(0, last: 3))
        // One stream too late is ignored, and its content is.
        conversation.send(.post(5))
        conversation.send(.data(5))
        #expect(conversation.requests.count == 2)
        conversation.answer(stream: 1)
        #expect(!conversation.isClosed)
        conversation.answer(stream: 3)
        #expect(conversation.content(stream: 3) == "It is well.")
        #expect(conversation.isClosed)
        #expect(conversation.frames(.goAway).count == 2)
    }

    @Test func `a stop does not wait for a peer that does not answer`() {
        let conversation = Conversation.begun()
        conversation.connection.stop()
        conversation.advance()
        #expect(!conversation.isClosed)
        conversation.wait(seconds: HTTP2Limits().stopTimeoutSeconds)
        #expect(conversation.frames(.goAway).count == 2)
        #expect(conversation.isClosed)
    }

    @Test func `a response that asks to close the connection ends it`() {
        let conversation = Conversation.begun()
        conversation.response.head.headerFields[.connection] = "close"
        conversation.send(.headers(1))
        #expect(conversation.content(stream: 1) == "It is well.")
        #expect(conversation.frames(.goAway).count == 1)
        conversation.wait(seconds: HTTP2Limits().stopTimeoutSeconds)
        #expect(conversation.isClosed)
    }

    @Test func `after the end of input whole requests are answered`() {
        let conversation = Conversation.begun()
        conversation.holdsAnswers = true
        conversation.send(.headers(1), .post(3))
        conversation.connection.receiveEnd()
        conversation.advance()
        #expect(!conversation.isClosed)
        conversation.answer(stream: 1)
        #expect(conversation.content(stream: 1) == "It is well.")
        #expect(conversation.isClosed)
    }

    @Test func `the end of input ends an idle connection`() {
        let conversation = Conversation.begun()
        conversation.connection.receiveEnd()
        conversation.advance()
        #expect(conversation.isClosed)
    }

    @Test func `a preface that does not come`() {
        let conversation = Conversation()
        conversation.send(Array(Frame.preface.prefix(20)))
        conversation.wait(seconds: HTTP2Limits().headerTimeoutSeconds)
        #expect(conversation.isClosed)
    }

    @Test func `settings that are not acknowledged`() {
        let conversation = Conversation()
        conversation.send(Frame.preface + Frame.settings().bytes)
        conversation.wait(seconds: HTTP2Limits().headerTimeoutSeconds)
        #expect(conversation.goAway == .settingsTimeout)
        #expect(conversation.isClosed)
    }

    @Test func `a handler has as long as it takes`() {
        let conversation = Conversation.begun()
        conversation.holdsAnswers = true
        conversation.send(.headers(1))
        #expect(conversation.connection.nextDeadline == nil)
        conversation.wait(seconds: 100_000)
        conversation.answer(stream: 1)
        #expect(conversation.content(stream: 1) == "It is well.")
    }

    @Test func `the next deadline is the earliest`() {
        let limits = HTTP2Limits()
        let conversation = Conversation()
        conversation.advance()
        let begin = conversation.now
        #expect(conversation.connection.nextDeadline == begin + 10_000_000_000)
        conversation.send(Frame.preface + Frame.settings().bytes + Frame.settingsAcknowledgement.bytes)
        #expect(conversation.connection.nextDeadline == begin + UInt64(limits.idleTimeoutSeconds) * 1_000_000_000)
        conversation.wait(seconds: 1)
        conversation.send(.post(1))
        #expect(conversation.connection.nextDeadline == begin + 21_000_000_000)
        conversation.send(Array(Frame.ping().bytes.prefix(3)))
        #expect(conversation.connection.nextDeadline == begin + 11_000_000_000)
    }

    @Test func `a peer that grants no window loses its streams and not its connection`() {
        let conversation = Conversation.begun(.settings((4, 0)))
        for stream in 0..<100 as Range<UInt32> { conversation.send(.headers(1 + 2 * stream)) }
        #expect(conversation.requests.count == 100)
        conversation.wait(seconds: HTTP2Limits().writeTimeoutSeconds)
        #expect(conversation.frames(.resetStream).count == 100)
        #expect(conversation.connection.streamsOpen == 0)
        #expect(!conversation.isClosed)
        #expect(conversation.connection.phase == .idle)
    }

    @Test(arguments: 1...80)
    func `every split of a request gives the same`(split: Int) {
        let bytes =
            Frame.preface
            + [Frame.settings(), .post(1, [("content-length", "4")]), .data(1, "te", ends: false), .data(1, "st")]
            .flatMap(\.bytes)
        let conversation = Conversation()
        conversation.send(Array(bytes.prefix(split)))
        conversation.send(Array(bytes.dropFirst(split)))
        #expect(conversation.requests.map(\.body) == [Array("test".utf8)])
        #expect(conversation.content(stream: 1) == "It is well.")
    }
}
