import HTTP
import HTTP2
import HTTPTypes
import Testing

/// Responses that are produced while they are sent.
struct StreamingTests {
    private struct Source: ResponseStream {
        func next() async -> [UInt8]? { nil }
        func cancel() {}
    }

    private static func conversation(_ settings: Frame = .settings()) -> Conversation {
        let conversation = Conversation.begun(settings)
        conversation.response = Response(status: .ok, contentType: "text/event-stream")
        conversation.response.stream = Source()
        return conversation
    }

    private static func send(_ text: String, _ stream: Int32, _ conversation: Conversation) {
        conversation.connection.send(Array(text.utf8), stream: stream)
        conversation.advance()
    }

    @Test func `pieces leave when they are added, and the last frame ends the stream`() {
        let conversation = Self.conversation()
        conversation.send(.headers(1), .headers(3))
        #expect(conversation.connection.isStreaming(1))
        #expect(conversation.frames(.data).isEmpty)
        Self.send("one", 1, conversation)
        Self.send("two", 3, conversation)
        Self.send("three", 1, conversation)
        #expect(conversation.content(stream: 1) == "onethree")
        #expect(conversation.content(stream: 3) == "two")
        #expect(conversation.frames(.data).allSatisfy { $0.flags & 1 == 0 })
        conversation.connection.endStream(1)
        conversation.advance()
        #expect(conversation.frames(.data, stream: 1).last?.flags == 1)
        #expect(!conversation.connection.isStreaming(1))
        #expect(conversation.connection.isStreaming(3))
    }

    @Test func `there is room again once the peer's window has taken a piece`() {
        let conversation = Self.conversation(.settings((4, 4)))
        conversation.send(.headers(1))
        #expect(conversation.connection.hasRoom(1))
        Self.send("1234567", 1, conversation)
        #expect(conversation.content(stream: 1) == "1234")
        #expect(!conversation.connection.hasRoom(1))
        conversation.send(.windowUpdate(1, 3))
        #expect(conversation.content(stream: 1) == "1234567")
        #expect(conversation.connection.hasRoom(1))
    }

    @Test func `a stream without a piece has no deadline`() {
        let conversation = Self.conversation()
        conversation.send(.headers(1))
        conversation.wait(seconds: 100_000)
        #expect(!conversation.isClosed)
        Self.send("one", 1, conversation)
        #expect(conversation.content(stream: 1) == "one")
    }

    @Test func `a piece that the peer does not take has the deadline of writes`() {
        let conversation = Self.conversation(.settings((4, 0)))
        conversation.send(.headers(1))
        conversation.wait(seconds: 100_000)
        Self.send("one", 1, conversation)
        conversation.wait(seconds: HTTP2Limits().writeTimeoutSeconds)
        #expect(!conversation.connection.isStreaming(1))
    }

    @Test func `a stream that the peer resets is over, and its pieces are dropped`() {
        let conversation = Self.conversation()
        conversation.send(.headers(1))
        conversation.send(.reset(1))
        #expect(!conversation.connection.isStreaming(1))
        Self.send("one", 1, conversation)
        conversation.connection.endStream(1)
        conversation.advance()
        #expect(conversation.frames(.data).isEmpty)
        #expect(!conversation.isClosed)
    }

    @Test func `a stop waits for the end of a stream`() {
        let conversation = Self.conversation()
        conversation.send(.headers(1))
        conversation.connection.stop()
        conversation.advance()
        conversation.wait(seconds: HTTP2Limits().stopTimeoutSeconds)
        #expect(!conversation.isClosed)
        Self.send("one", 1, conversation)
        conversation.connection.endStream(1)
        conversation.advance()
        #expect(conversation.content(stream: 1) == "one")
        #expect(conversation.isClosed)
    }

    @Test func `HEAD gets the head of a stream alone`() {
        let conversation = Self.conversation()
        conversation.send(.headers(1, [(":method", "HEAD"), (":scheme", "http"), (":path", "/"), (":authority", "a")]))
        #expect(!conversation.connection.isStreaming(1))
        #expect(conversation.frames(.headers, stream: 1).last?.flags == 5)
    }
}
