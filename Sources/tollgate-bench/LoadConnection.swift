import Glibc

/// One keep-alive connection with one request under way.
final class LoadConnection {
    private let socket: LoadSocket
    private var reader = AnswerReader()
    private var request: RequestBatch.Entry?
    private var sentBytes = 0
    private var start: UInt64 = 0

    /// Connects to a port of 127.0.0.1.
    init(port: UInt16) throws { socket = try LoadSocket(port: port) }

    var descriptor: Int32 { socket.descriptor }
    var isWaiting: Bool { request != nil }

    /// Sends a request.
    func begin(_ request: RequestBatch.Entry, at now: UInt64) throws {
        self.request = request
        start = now
        sentBytes = 0
        try flush()
    }

    /// Sends what is left of the request. False: there is no room for all of it.
    @discardableResult
    func flush() throws -> Bool {
        guard let request else { return true }
        while sentBytes < request.bytes.count {
            let count = try socket.write(request.bytes, from: sentBytes)
            guard count > 0 else { return false }
            sentBytes += count
        }
        return true
    }

    /// Takes what has arrived. A wrong answer is an error.
    ///
    /// - Returns: when the request was begun, if its answer is whole now.
    func receive(into buffer: UnsafeMutableRawBufferPointer) throws -> UInt64? {
        guard let count = try socket.read(into: buffer) else { return nil }
        guard count > 0 else { throw BenchFailure("the server closed a connection that it should keep") }
        var answered: RequestBatch.Entry?
        try reader.receive(UnsafeRawBufferPointer(rebasing: buffer[..<count])) { answer in
            guard let request, answered == nil else { throw BenchFailure("an answer that nobody asked for") }
            try request.check(answer.status, answer.content)
            answered = request
        }
        guard answered != nil else { return nil }
        request = nil
        return start
    }
}

extension RequestBatch.Entry {
    /// Throws what is wrong with an answer.
    func check(_ status: Int, _ content: UnsafeRawBufferPointer) throws {
        let isExpected = expected.withUnsafeBytes { $0.isEmpty || content.position(of: $0) != nil }
        guard status == self.status, isExpected else {
            throw BenchFailure(
                """
                a wrong answer: \(status) \(String(decoding: content.prefix(2000), as: UTF8.self))
                to \(String(decoding: bytes.prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self))
                """)
        }
    }
}
