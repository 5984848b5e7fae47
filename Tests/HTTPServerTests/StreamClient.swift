import HTTP
import HTTP2
import HTTP2Client
import HTTPServer
import HTTPTypes

/// A client that speaks HTTP/2 over a channel.
actor StreamClient {
    private let channel: any ByteChannel
    private let session: HTTP2Client
    private let scheme: String
    private(set) var goAways: [Int32] = []
    private var responses: [Int32: Response] = [:]
    private var resets: [Int32: HTTP2ErrorCode] = [:]

    init(_ channel: any ByteChannel, scheme: String = "http", streamWindowBytes: Int = 1024 * 1024) {
        self.channel = channel
        self.scheme = scheme
        session = HTTP2Client(streamWindowBytes: streamWindowBytes)
    }

    /// Sends requests at once, and gives their streams.
    func submit(
        _ paths: [String], method: HTTPRequest.Method = .get, body: [UInt8] = []
    ) async throws -> [Int32] {
        let streams = paths.compactMap { path in
            session.submit(
                Request(
                    head: HTTPRequest(method: method, scheme: scheme, authority: "a", path: path), body: body))
        }
        try await sendOutput()
        return streams
    }

    /// The response on a stream, or nil if it was reset.
    func response(_ stream: Int32) async throws -> Response? {
        while true {
            if let response = responses.removeValue(forKey: stream) { return response }
            if resets[stream] != nil { return nil }
            guard try await receive() else { throw RawClient.Failure(call: "end of stream", errno: 0) }
        }
    }

    /// The text of the response to a GET.
    func get(_ path: String) async throws -> String {
        let streams = try await submit([path])
        guard let stream = streams.first, let response = try await response(stream) else { return "" }
        return String(decoding: response.body, as: UTF8.self)
    }

    /// Gives up a request.
    func reset(_ stream: Int32) async throws {
        session.reset(stream: stream)
        try await sendOutput()
    }

    /// Waits until the server has said that the connection ends.
    ///
    /// With the last answer the client has what it wants, and what comes after it is not read.
    func goAway(count: Int = 1) async throws {
        while goAways.count < count, try await receive() {}
    }

    /// Waits until the connection has ended.
    func end() async throws {
        while try await receive() {}
    }

    private func receive() async throws -> Bool {
        let bytes = try await channel.receiveSome()
        guard !bytes.isEmpty else { return false }
        session.receive(bytes.span)
        while let event = session.next() {
            switch event {
            case .response(let response, let stream): responses[stream] = response
            case .reset(let stream, let code): resets[stream] = code
            case .goAway(let lastStream, _): goAways.append(lastStream)
            }
        }
        try await sendOutput()
        return true
    }

    private func sendOutput() async throws {
        while session.outputBytes > 0 {
            let bytes = Array(session.output[session.outputStart...])
            session.consumeOutput(bytes.count)
            try await channel.send(bytes)
        }
    }
}
