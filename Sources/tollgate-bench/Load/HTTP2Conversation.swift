import HTTP
import HTTP2Client
import HTTPTypes

/// HTTP/2 with concurrent requests.
final class HTTP2Conversation: Conversation {
    private let client = HTTP2Client()
    private let scheme: String
    private var requests: [Int32: LoadRequest] = [:]

    /// - Parameter scheme: `https` over TLS, otherwise `http`.
    init(scheme: String) { self.scheme = scheme }

    var output: [UInt8] { client.output }
    var outputStart: Int { client.outputStart }
    var inFlight: Int { requests.count }

    func consumeOutput(_ count: Int) { client.consumeOutput(count) }

    func begin(_ request: LoadRequest) throws {
        guard let stream = client.submit(try request.entry.parsed(scheme: scheme)) else {
            throw BenchFailure("an HTTP/2 connection takes no more requests")
        }
        requests[stream] = request
    }

    func receive(_ bytes: UnsafeRawBufferPointer, _ body: (LoadRequest, LoadAnswer) throws -> Void) throws {
        client.receive(bytes.bindMemory(to: UInt8.self).span)
        while let event = client.next() {
            switch event {
            case .response(let response, let stream):
                guard let request = requests.removeValue(forKey: stream) else {
                    throw BenchFailure("an unsolicited response")
                }
                try response.body.withUnsafeBytes {
                    try body(request, LoadAnswer(status: response.head.status.code, content: $0))
                }
            case .reset(let stream, let code):
                guard requests.removeValue(forKey: stream) == nil else {
                    throw BenchFailure("the server reset a stream: \(code)")
                }
            case .goAway(_, let code): throw BenchFailure("the server ends an HTTP/2 connection: \(code)")
            }
        }
        guard !client.isFinished else { throw BenchFailure("the server broke HTTP/2") }
    }
}

extension RequestBatch.Entry {
    /// The request, parsed from HTTP/1.1 for use with HTTP/2.
    func parsed(scheme: String) throws -> Request {
        var parser = HTTP1Parser(scheme: scheme)
        parser.append(bytes.span)
        do throws(HTTP1Refusal) {
            if case .request(let request) = try parser.next() {
                return Request(head: request.head, content: request.content, credentials: request.credentials)
            }
        } catch {
            throw BenchFailure("a request that HTTP/2 can't say: \(error)")
        }
        throw BenchFailure("a request that is not whole")
    }
}
