import Glibc

/// One request on a connection of its own.
enum SingleExchange {
    /// Sends a request and gives the bytes of its answer, head and content.
    static func answer(to request: RequestBatch.Entry, port: UInt16) throws -> [UInt8] {
        let socket = try LoadSocket(port: port)
        var sent = 0
        while sent < request.bytes.count { sent += try socket.write(request.bytes, from: sent) }
        var answer: [UInt8] = []
        var reader = AnswerReader()
        var isWhole = false
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
        defer { buffer.deallocate() }
        while !isWhole {
            var wait = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&wait, 1, 10_000) > 0 else { throw BenchFailure("no answer within 10 seconds") }
            guard let count = try socket.read(into: buffer) else { continue }
            guard count > 0 else { throw BenchFailure("the server closed a connection that it should keep") }
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            answer += bytes
            try reader.receive(bytes) {
                try request.check(LoadAnswer(status: $0.status, content: $0.content))
                isWhole = true
            }
        }
        return answer
    }
}
