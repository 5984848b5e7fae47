import Testing

/// The stream of events as the built program serves it.
@Suite(.timeLimit(.minutes(30)))
struct EventTests {
    @Test func `events are followed until the gateway stops`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        let events = try HTTPConnection(port: gateway.port)
        try events.send("GET /_tollgate/events HTTP/1.1\r\nHost: 127.0.0.1:\(gateway.port)\r\n\r\n")
        var received = ""
        func receive(until text: String) throws {
            while !received.contains(text) {
                let bytes = try events.receiveSome()
                guard !bytes.isEmpty else { throw HTTPConnection.Failure.endedEarly }
                received += String(decoding: bytes, as: UTF8.self)
            }
        }
        try receive(until: "id: 0\n\n")
        #expect(received.hasPrefix("HTTP/1.1 200 "))
        #expect(received.contains("\r\nTransfer-Encoding: chunked\r\n"))
        #expect(try gateway.put(TransactionPath(), PaymentRequest.plain("10.00")).status == 201)
        try receive(until: "event: order\n")
        #expect(received.contains("event: request\ndata: {\"id\":1,"))
        #expect(!received.contains("4508750015741019"))
        #expect(try gateway.stop() == .exited(0))
        try receive(until: "\r\n0\r\n\r\n")
        #expect(try events.isClosedByPeer())
    }
}
