import ControlAPI
import HTTP
import HTTPTypes
import Payments
import TestSupport
import Testing
import Values

/// The stream of events.
@Suite(.timeLimit(.minutes(30)))
struct EventTests {
    /// Begins a stream. Its first piece, the id after which it follows, is read.
    private func follow(
        _ control: TestControl, _ query: String = "", fields: [(String, String)] = [], after id: Int
    ) async throws -> any ResponseStream {
        let response = try #require(
            await control.send(.to(.get, "/_tollgate/events\(query)", fields: fields)))
        #expect(response.status == 200)
        #expect(response.head.headerFields[.contentType] == "text/event-stream")
        #expect(response.head.headerFields[.cacheControl] == "no-store")
        let stream = try #require(response.stream)
        #expect(await stream.text() == "id: \(id)\n\n")
        return stream
    }

    @Test func `a payment is seen as a request and as an order, masked`() async throws {
        let control = try TestControl()
        let stream = try await follow(control, after: 0)
        _ = await control.pay("t1", amount: "12.50")
        let events = try #require(await stream.text())
        let expected = [
            "id: 1\nevent: request\ndata: {\"id\":1,",
            "\n\nid: 2\nevent: order\ndata: {\"gatewayCode\":\"APPROVED\",\"merchant\":\"TESTMERCHANT\","
                + "\"order\":\"order-1\",\"transaction\":\"t1\"}\n\n",
        ]
        #expect(events.hasPrefix(expected[0]) && events.hasSuffix(expected[1]))
        for secret in ["4508750015741019", "737", "Ada Payer"] { #expect(!events.contains(secret), "\(secret)") }
        // The request is the journal's.
        let journal = try await control.control(.get, "requests").text
        let request = try #require(events.split(separator: "\n").first { $0.hasPrefix("data: ") }?.dropFirst(6))
        #expect(journal == "{\"requests\":[\(request)]}")
        stream.cancel()
    }

    @Test func `a stream waits for the next event`() async throws {
        let pauses = Pauses()
        let control = try TestControl(pause: pauses.pause)
        let stream = try await follow(control, after: 0)
        async let events = stream.text()
        // A pause begins only once there is nothing to send.
        await pauses.begun(1)
        _ = try await control.control(.post, "outcomes", #"{"gatewayCode":"DECLINED"}"#)
        #expect(await events == "id: 1\nevent: outcomes\ndata: {}\n\n")
        stream.cancel()
        pauses.end()
    }

    @Test func `outcomes and resets are events`() async throws {
        let control = try TestControl()
        let stream = try await follow(control, after: 0)
        _ = try await control.control(.post, "outcomes", #"{"gatewayCode":"DECLINED"}"#)
        _ = try await control.control(.delete, "outcomes/1")
        _ = try await control.control(.post, "outcomes", #"{"gatewayCode":"DECLINED"}"#)
        _ = try await control.control(.delete, "outcomes")
        let outcomes = (1...4).map { "id: \($0)\nevent: outcomes\ndata: {}\n\n" }.joined()
        #expect(await stream.text() == outcomes)
        for (id, body) in [(5, "{}"), (6, #"{"merchant":"TESTMERCHANT"}"#)] {
            _ = try await control.control(.post, "reset", body)
            #expect(await stream.text() == "id: \(id)\nevent: reset\ndata: {}\n\n")
        }
        stream.cancel()
    }

    @Test func `a scripted outcome that is used is an event`() async throws {
        let control = try TestControl()
        _ = try await control.control(.post, "outcomes", #"{"gatewayCode":"DECLINED"}"#)
        let stream = try await follow(control, after: 1)
        _ = await control.pay()
        #expect(await stream.text()?.contains("event: outcomes\n") == true)
        stream.cancel()
    }

    @Test(arguments: [("?after=1", nil), ("?after=0", "1"), ("", "1")] as [(String, String?)])
    func `a stream resumes after an event`(query: String, header: String?) async throws {
        let control = try TestControl()
        for _ in 0..<3 { _ = try await control.control(.post, "outcomes", #"{"gatewayCode":"DECLINED"}"#) }
        let fields = header.map { [("Last-Event-ID", $0)] } ?? []
        let stream = try await follow(control, query, fields: fields, after: 1)
        #expect(
            await stream.text()
                == "id: 2\nevent: outcomes\ndata: {}\n\nid: 3\nevent: outcomes\ndata: {}\n\n")
        stream.cancel()
    }

    @Test func `events that are no longer known are reported as missed`() async throws {
        let control = try TestControl()
        let stream = try await follow(control, after: 0)
        _ = await control.pay()
        _ = try await control.control(.post, "reset", "{}")
        let events = try #require(await stream.text())
        // The payment's events went with the payment.
        #expect(events == "id: 2\nevent: missed\ndata: {\"after\":0}\n\nid: 3\nevent: reset\ndata: {}\n\n")
        stream.cancel()
    }

    @Test func `a number from before a restart is reported as missed`() async throws {
        let control = try TestControl()
        _ = try await control.control(.post, "outcomes", #"{"gatewayCode":"DECLINED"}"#)
        let stream = try await follow(control, "?after=9223372036854775807", after: .max)
        let events = try #require(await stream.text())
        #expect(events.hasPrefix("id: 0\nevent: missed\ndata: {\"after\":9223372036854775807}\n\nid: 1\n"))
        stream.cancel()
    }

    @Test func `after 15 seconds without an event a comment is sent`() async throws {
        let pauses = Pauses()
        let control = try TestControl(pause: pauses.pause)
        let stream = try await follow(control, after: 0)
        async let piece = stream.text()
        await pauses.begun(1)
        #expect(pauses.lengths == [15_000])
        pauses.end()
        #expect(await piece == ":\n\n")
        stream.cancel()
        #expect(await stream.text() == nil)
    }

    @Test func `a canceled stream ends, even while it waits`() async throws {
        let pauses = Pauses()
        let control = try TestControl(pause: pauses.pause)
        let stream = try await follow(control, after: 0)
        async let piece = stream.text()
        await pauses.begun(1)
        stream.cancel()
        #expect(await piece == nil)
        #expect(await stream.text() == nil)
        pauses.end()
    }

    @Test func `a client may follow 16 streams, and another client others`() async throws {
        let control = try TestControl(access: .bearer(PresentedPassword(SecretText("a-token"))))
        let fields = [("Authorization", "Bearer a-token")]
        func events(from address: String) async -> Response? {
            let peer = Peer(address: address, isLoopback: false)
            return await control.send(.to(.get, "/_tollgate/events", peer: peer, fields: fields))
        }
        var streams: [any ResponseStream] = []
        for _ in 0..<16 { streams.append(try #require(await events(from: "192.0.2.1")?.stream)) }
        #expect(await events(from: "192.0.2.1")?.refusal == "429 -")
        #expect(await events(from: "192.0.2.2")?.status == 200)
        streams[0].cancel()
        #expect(await events(from: "192.0.2.1")?.status == 200)
    }

    @Test(
        arguments: [
            ("?after=-1", nil, "400 after"), ("?after=x", nil, "400 after"), ("?before=1", nil, "400 -"),
            ("", "x", "400 -"), ("", "-1", "400 -"), ("", "99999999999999999999", "400 -"),
        ] as [(String, String?, String)])
    func `an id that is no number is refused`(query: String, header: String?, refusal: String) async throws {
        let control = try TestControl()
        let fields = header.map { [("Last-Event-ID", $0)] } ?? []
        #expect(await control.send(.to(.get, "/_tollgate/events\(query)", fields: fields))?.refusal == refusal)
    }
}

extension ResponseStream {
    /// The next piece as text.
    fileprivate func text() async -> String? { await next().map { String(decoding: $0, as: UTF8.self) } }
}
