internal import HTTP
internal import HTTP2
internal import HTTPTypes

/// One client's bytes on an HTTP/2 connection. What it makes the server hold and send is bounded, and every turn ends.
struct HTTP2Fuzz {
    /// What the input is.
    private enum Mode: UInt8 {
        /// Everything that the client sends.
        case bytes
        /// What it sends after a preface and settings.
        case frames
        /// A program that makes frames, passes time and answers requests.
        case program
    }

    private static let date = HTTPDate(unixSeconds: 0)
    private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    private let connection: HTTP2Connection
    private let limits: HTTP2Limits
    private var pieces: FuzzPieces
    private var now: UInt64 = 1
    private var held: [Int32] = []
    private var holdsAnswers = false
    private var stopsReading = false
    private var isClosed = false
    private var requestCount = 0
    private var lastStream: UInt32 = 0

    private init(seed: UInt8) {
        var limits = HTTP2Limits()
        // Small enough to be reached.
        limits.bodyBytesMax = 20_000
        limits.waitingRequestBytesMax = 60_000
        limits.headerListBytesMax = 4096
        limits.decodedHeaderBytesMax = 8192
        self.limits = limits
        pieces = FuzzPieces(seed: seed)
        connection = HTTP2Connection(limits: limits, now: now) { status, _ in
            Response(status: status, body: Array("\(status.code)".utf8))
        }
    }

    /// - Parameter bytes: the mode, one that the pieces depend on, and the input.
    /// - Returns: whether a request was handled.
    static func accepts(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count >= 2, let mode = Mode(rawValue: bytes[0] % 3) else { return false }
        var fuzz = HTTP2Fuzz(seed: bytes[1])
        let input = Array(bytes.dropFirst(2))
        switch mode {
        case .bytes: fuzz.send(input)
        case .frames:
            fuzz.begin()
            fuzz.send(input)
        case .program:
            fuzz.begin()
            fuzz.run(input[...])
        }
        fuzz.end()
        return fuzz.requestCount > 0
    }

    private mutating func begin() {
        send(Self.preface + Self.frame(4, 0, 0, []) + Self.frame(4, 1, 0, []))
    }

    private mutating func send(_ bytes: [UInt8]) {
        var start = 0
        while start < bytes.count {
            let end = start + pieces.next(bytes.count - start)
            connection.receive(bytes.span.extracting(start..<end), now: now)
            advance()
            start = end
        }
    }

    private mutating func advance() {
        for _ in 0..<1000 {
            let step = connection.next(date: Self.date, now: now)
            // A piece of 4 KiB makes no more than as much again of frames that are owed.
            precondition(connection.outputBytes < limits.outputBytesMax + 64 * 1024, "output is bounded")
            precondition(connection.streamsOpen <= limits.concurrentStreamsMax, "streams are bounded")
            precondition(connection.requestsInFlight <= limits.concurrentStreamsMax, "requests are bounded")
            precondition(!isClosed || step == .close, "the end is the end")
            switch step {
            case .handle(let request, let stream):
                requestCount += 1
                precondition(request.body.count <= limits.bodyBytesMax, "content is bounded")
                precondition(request.head.authority?.isEmpty == false, "a request has an authority")
                if holdsAnswers { held.append(stream) } else { answer(stream) }
            case .wait:
                guard !stopsReading, connection.outputBytes > 0 else { return }
                connection.consumeOutput(connection.outputBytes)
            case .close:
                isClosed = true
                return connection.consumeOutput(connection.outputBytes)
            }
        }
        preconditionFailure("next() comes to an end")
    }

    private func answer(_ stream: Int32) {
        connection.answer(
            Response(status: .ok, body: Array(repeating: 0x61, count: Int(stream) * 997 % 30_000)), stream: stream,
            date: Self.date)
    }

    /// Whatever was held is answered, and time ends the rest.
    private mutating func end() {
        holdsAnswers = false
        for stream in held { answer(stream) }
        held = []
        stopsReading = false
        advance()
        connection.stop()
        for _ in 0..<1000 {
            advance()
            guard !isClosed else { break }
            guard let deadline = connection.nextDeadline else { preconditionFailure("something is waited for") }
            now = max(now + 1, deadline)
        }
        precondition(isClosed, "time ends every connection")
        precondition(connection.streamsOpen == 0 || connection.nextDeadline == nil, "nothing is waited for")
        precondition(connection.requestsInFlight == 0, "every request was answered")
    }

    // MARK: Programs

    private mutating func run(_ program: ArraySlice<UInt8>) {
        var program = program
        while let code = program.popFirst(), !isClosed {
            let first = program.popFirst() ?? 0
            let second = program.popFirst() ?? 0
            let stream = first == 0 ? 0 : stream(first)
            switch code % 18 {
            case 0: open(flags: 5, Self.get)
            case 1: open(flags: 4, Self.post)
            case 2: open(flags: first & 0x2D, Self.payload(flags: first & 0x28, Self.get, padding: second))
            case 3: open(flags: first & 0x5, take(second, from: &program))
            case 4: send(Self.frame(0, second & 1, stream, Array(repeating: second, count: Int(second) * 64)))
            case 5:
                send(Self.frame(0, 8 | second & 1, stream, [second] + Array(repeating: 0, count: Int(second & 0x1F))))
            case 6: send(Self.frame(1, 5, stream, Self.field("x-sum", "1")))
            case 7: send(Self.frame(3, 0, stream, [0, 0, 0, second]))
            case 8: send(Self.frame(8, 0, stream, [second & 0x7F, second, 0, second & 0xF]))
            case 9: send(Self.frame(4, 0, 0, [0, first & 0xF, second & 0x80, second, second << 4, first]))
            case 10: send(Self.frame(6, first & 1, 0, Array(repeating: second, count: 8)))
            case 11: send(Self.frame(2, 0, stream, [0, 0, 0, second, 16]))
            case 12: send(Self.frame(9, first & 4, lastStream, take(second, from: &program)))
            case 13: send(Self.frame(first, second, lastStream, take(second, from: &program)))
            case 14:
                now += UInt64(first) * 100_000_000
                advance()
            case 15:
                guard !held.isEmpty else { continue }
                let stream = held.remove(at: Int(first) % held.count)
                if second & 1 == 0 { answer(stream) } else { connection.cut(stream: stream) }
                advance()
            case 16:
                holdsAnswers = first & 1 == 1
                stopsReading = first & 2 == 2
            default:
                if first & 7 == 0 { connection.stop() }
                if first & 7 == 1 { send(Self.frame(7, 0, 0, [0, 0, 0, 0, 0, 0, 0, second])) }
                if first & 7 == 2 { send([UInt8](repeating: second, count: Int(first))) }
                if first & 63 == 63 { connection.receiveEnd() }
                advance()
            }
        }
    }

    private mutating func open(flags: UInt8, _ payload: [UInt8]) {
        lastStream = lastStream == 0 ? 1 : lastStream + 2
        send(Self.frame(1, flags, lastStream, payload))
    }

    /// One of the streams that were opened last, or the next.
    private func stream(_ choice: UInt8) -> UInt32 {
        let back = UInt32(choice % 8) * 2
        return lastStream + 2 > back ? lastStream + 2 - back : lastStream
    }

    private func take(_ count: UInt8, from program: inout ArraySlice<UInt8>) -> [UInt8] {
        let taken = Array(program.prefix(Int(count)))
        program = program.dropFirst(taken.count)
        return taken
    }

    private static func payload(flags: UInt8, _ block: [UInt8], padding: UInt8) -> [UInt8] {
        (flags & 8 != 0 ? [padding] : []) + (flags & 0x20 != 0 ? [0, 0, 0, padding & 7, 9] : []) + block
            + Array(repeating: 0, count: flags & 8 != 0 ? Int(padding & 0x3F) : 0)
    }

    private static func frame(_ kind: UInt8, _ flags: UInt8, _ stream: UInt32, _ payload: [UInt8]) -> [UInt8] {
        let count = payload.count
        return [
            UInt8(count >> 16 & 0xFF), UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF), kind, flags,
            UInt8(stream >> 24 & 0x7F),
            UInt8(stream >> 16 & 0xFF), UInt8(stream >> 8 & 0xFF), UInt8(stream & 0xFF),
        ] + payload
    }

    private static func field(_ name: String, _ value: String) -> [UInt8] {
        [0, UInt8(name.utf8.count)] + Array(name.utf8) + [UInt8(value.utf8.count)] + Array(value.utf8)
    }

    /// Indices of the static table, and an authority that enters the dynamic one.
    private static let get: [UInt8] = [0x82, 0x86, 0x84, 0x41, 9] + Array("localhost".utf8)
    private static let post: [UInt8] = [0x83, 0x86, 0x84, 0x41, 9] + Array("localhost".utf8)

    /// Inputs to begin with; the first is lawful.
    static let seeds: [[UInt8]] = {
        let begin = preface + frame(4, 0, 0, []) + frame(4, 1, 0, [])
        let request = frame(1, 5, 1, get)
        let upload = frame(1, 4, 3, post) + frame(0, 1, 3, Array("body".utf8))
        let trailers = frame(1, 4, 5, post) + frame(0, 0, 5, Array("body".utf8)) + frame(1, 5, 5, field("x-sum", "1"))
        let many = (0..<12).flatMap { frame(1, 5, 1 + 2 * $0, [0x82, 0x86, 0x84, 0xBE]) }
        let split = frame(1, 1, 1, Array(get.prefix(4))) + frame(9, 4, 1, Array(get.dropFirst(4)))
        return [
            [0, 3] + begin + request + upload + trailers,
            [1, 5] + request + upload + trailers,
            [1, 7] + request + many,
            [1, 9] + split + frame(6, 0, 0, Array(repeating: 1, count: 8)) + frame(3, 0, 1, [0, 0, 0, 8]),
            [1, 11] + frame(4, 0, 0, [0, 4, 0, 0, 0, 0]) + request + frame(8, 0, 1, [0, 0, 0, 5]),
            [2, 13] + (0..<18).flatMap { [$0, 7, 3] as [UInt8] },
            [2, 15] + [16, 1, 0, 0, 0, 0, 1, 0, 0, 4, 1, 9, 4, 2, 1, 7, 2, 8, 15, 0, 0, 14, 90, 0, 17, 0, 0] as [UInt8],
            [2, 17] + [16, 2, 0] + Array(repeating: [0, 0, 0] as [UInt8], count: 110).joined() + [14, 250, 0, 16, 0, 0]
                as [UInt8],
            [2, 19] + Array(repeating: [1, 0, 0, 4, 2, 255] as [UInt8], count: 20).joined() + [6, 2, 0] as [UInt8],
            [2, 21] + Array(repeating: [0, 0, 0, 7, 2, 8] as [UInt8], count: 60).joined() + [17, 0, 0] as [UInt8],
            [2, 23, 3, 5, UInt8(get.count)] + get + [12, 4, 3, 0x82, 0x86, 0x84],
        ]
    }()
}
