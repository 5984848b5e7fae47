import HTTP
import HTTP2
import HTTP2Client
import HTTPTypes
import Testing

/// Client and server, each fed with the other's bytes.
struct ClientTests {
    private let client = HTTP2Client()
    private let server = Conversation()

    private func exchange() -> [HTTP2Client.Event] {
        var events: [HTTP2Client.Event] = []
        var sent = 1
        while sent > 0 {
            sent = client.outputBytes
            if sent > 0 {
                let bytes = Array(client.output[client.outputStart...])
                client.consumeOutput(sent)
                server.send(bytes)
            }
            let answer = server.takeBytes()
            sent += answer.count
            client.receive(answer.span)
            while let event = client.next() { events.append(event) }
        }
        return events
    }

    private func request(_ path: String, body: [UInt8] = []) -> Request {
        Request(
            head: HTTPRequest(method: body.isEmpty ? .get : .post, scheme: "http", authority: "localhost", path: path),
            body: body)
    }

    @Test func `many requests at once are answered`() throws {
        server.response.body = Array(repeating: 0x61, count: 100_000)
        let streams = try (0..<50).map {
            try #require(client.submit(request("/\($0)", body: Array(repeating: 0x62, count: 10_000))))
        }
        let events = exchange()
        #expect(server.requests.map(\.body.count) == Array(repeating: 10_000, count: 50))
        #expect(Set(server.requests.compactMap(\.head.path)) == Set((0..<50).map { "/\($0)" }))
        #expect(events.count == 50)
        for event in events {
            guard case .response(let response, let stream) = event else {
                Issue.record("\(event)")
                continue
            }
            #expect(response.head.status == .ok)
            #expect(response.head.headerFields[.contentLength] == "100000")
            #expect(response.head.headerFields[.date] == "Thu, 01 Jan 1970 00:00:00 GMT")
            #expect(response.body == server.response.body)
            #expect(streams.contains(stream))
        }
        #expect(client.requestsInFlight == 0)
    }

    @Test func `a refusal before the end of the content is a response`() {
        _ = client.submit(request("/", body: Array(repeating: 0x62, count: 2_000_000)))
        guard case .response(let response, _)? = exchange().first else {
            Issue.record("no response")
            return
        }
        #expect(response.head.status == .contentTooLarge)
        #expect(response.head.headerFields[.contentType] == "text/plain")
    }

    @Test func `a request that is cut is reported`() throws {
        server.holdsAnswers = true
        let stream = try #require(client.submit(request("/")))
        #expect(exchange().isEmpty)
        server.connection.cut(stream: stream)
        server.advance()
        #expect(exchange() == [.reset(stream: stream, .cancel)])
    }

    @Test func `a client is told when the server stops, and has its response`() throws {
        server.holdsAnswers = true
        let stream = try #require(client.submit(request("/")))
        #expect(exchange().isEmpty)
        server.connection.stop()
        server.advance()
        #expect(exchange() == [.goAway(lastStream: 0x7FFF_FFFF, .noError), .goAway(lastStream: stream, .noError)])
        #expect(client.submit(request("/")) == nil)
        server.answer(stream: stream)
        guard case .response? = exchange().first else {
            Issue.record("no response")
            return
        }
        #expect(server.isClosed)
        #expect(client.isFinished)
    }
}
