internal import HTTP
internal import HTTPTypes

/// One client's bytes on an HTTP/1.1 connection, in one piece and in others: what comes of them is the same.
enum HTTP1Fuzz {
    private struct Outcome: Equatable {
        var requests: [Request] = []
        var output: [UInt8] = []
    }

    private static let date = HTTPDate(unixSeconds: 0)
    private static let interim = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

    /// - Parameter bytes: one that the pieces depend on, and the client's.
    /// - Returns: whether a request was handled.
    static func accepts(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let seed = bytes.first else { return false }
        let bytes = Array(bytes.dropFirst())
        let whole = outcome(of: bytes) { $0 }
        var pieces = FuzzPieces(seed: seed)
        precondition(outcome(of: bytes, { pieces.next($0) }) == whole, "pieces change nothing")
        if bytes.count <= 1024 {
            precondition(outcome(of: bytes) { _ in 1 } == whole, "single bytes change nothing")
        }
        return !whole.requests.isEmpty
    }

    /// - Parameter pieceBytes: how much of so many bytes is received at once.
    private static func outcome(of bytes: [UInt8], _ pieceBytes: (Int) -> Int) -> Outcome {
        var outcome = Outcome()
        var connection = HTTP1Connection { status, _ in Response(status: status, body: Array("\(status.code)".utf8)) }
        var start = 0
        while start < bytes.count {
            let end = start + pieceBytes(bytes.count - start)
            connection.receive(bytes.span.extracting(start..<end))
            start = end
            advance(&connection, &outcome)
        }
        connection.receiveEnd()
        advance(&connection, &outcome)
        precondition(connection.phase == .closing || connection.phase == .answer, "nothing more is waited for")
        return outcome
    }

    private static func advance(_ connection: inout HTTP1Connection, _ outcome: inout Outcome) {
        // Each turn handles a request, of at least 16 bytes, or ends.
        for _ in 0..<100_000 {
            let step = connection.next(date: date)
            precondition(connection.outputBytes < 256 * 1024, "output is bounded")
            // Whether a client still waits for 100 depends on what it has sent by then.
            var output = connection.output[connection.outputStart...]
            while output.starts(with: interim) { output = output.dropFirst(interim.count) }
            outcome.output += output
            connection.consumeOutput(connection.outputBytes)
            switch step {
            case .handle(let request):
                precondition(request.body.count <= HTTP1Limits().bodyBytesMax, "content is bounded")
                precondition(request.head.path?.isEmpty == false, "a request has a path")
                outcome.requests.append(request)
                connection.answer(Response(status: .ok, body: Array("well".utf8)), date: date)
            case .wait, .close: return
            }
        }
        preconditionFailure("next() comes to an end")
    }

    /// Requests to begin with; the first is lawful.
    static let seeds: [[UInt8]] =
        [
            "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "GET /api/rest/version/100/information HTTP/1.1\r\nHost: localhost:8080\r\nAccept: */*\r\n\r\n",
            "PUT /order/1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nbody",
            "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n4;a=b\r\nbody\r\n0\r\nX-Sum: 1\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nab",
            "HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\nGET /2 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\nGET /3",
            "OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "GET http://shop.example/a?b HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET / HTTP/1.0\r\n\r\n",
            "\r\nGET / HTTP/1.1\r\nHost: [::1]:80\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\n folded: x\r\n\r\n",
            "GET / HTTP/2.0\r\nHost: a\r\n\r\n",
            "GET / HTTP/1.1\nHost: a\n\n",
        ].map { [7] + Array($0.utf8) }
}

/// The pieces in which bytes arrive, by a fixed plan.
struct FuzzPieces {
    private var state: UInt32

    init(seed: UInt8) { state = UInt32(seed) &* 2_654_435_761 | 1 }

    /// How much of so many bytes comes at once: at least one.
    mutating func next(_ left: Int) -> Int {
        // Marsaglia's xorshift.
        state ^= state << 13
        state ^= state >> 17
        state ^= state << 5
        // Small pieces, and now and then a large one.
        let most = state & 7 == 0 ? 4096 : 12
        return min(left, 1 + Int(state >> 8) % most)
    }
}
