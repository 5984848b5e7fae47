/// HTTP/1.1 with one request at a time.
final class HTTP1Conversation: Conversation {
    private(set) var output: [UInt8] = []
    private(set) var outputStart = 0
    private var reader = AnswerReader()
    private var request: LoadRequest?

    var inFlight: Int { request == nil ? 0 : 1 }

    func consumeOutput(_ count: Int) {
        outputStart += count
        guard outputStart == output.count else { return }
        output.removeAll(keepingCapacity: true)
        outputStart = 0
    }

    func begin(_ request: LoadRequest) {
        precondition(self.request == nil, "one at a time")
        self.request = request
        output += request.entry.bytes
    }

    func receive(_ bytes: UnsafeRawBufferPointer, _ body: (LoadRequest, LoadAnswer) throws -> Void) throws {
        try reader.receive(bytes) { answer in
            guard let request else { throw BenchFailure("an unsolicited response") }
            self.request = nil
            try body(request, LoadAnswer(status: answer.status, content: answer.content))
        }
    }
}
