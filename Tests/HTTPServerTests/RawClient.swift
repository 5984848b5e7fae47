import Dispatch
import Glibc
import HTTPServer
import Testing

/// A client that sends and receives bytes as they are. It blocks a thread of its own, so that no test waits for another;
/// a read that lasts 20 seconds fails.
actor RawClient {
    private final class Thread: SerialExecutor {
        let queue = DispatchQueue(label: "client")
        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }
    }
    private let thread = Thread()
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    struct Failure: Error, Equatable {
        let call: String
        let errno: Int32
    }

    private let descriptor: Int32
    private var received: [UInt8] = []
    /// Where the next response begins.
    private var start = 0

    /// - Parameter receiveBytesMax: of the socket's receive buffer; nil leaves the system's.
    init(_ address: BoundAddress, receiveBytesMax: Int32? = nil) throws {
        let isIPv6 = address.host.contains(":")
        descriptor = socket(isIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(call: "socket", errno: errno) }
        var timeout = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        if var receiveBytesMax {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBytesMax, socklen_t(MemoryLayout<Int32>.size))
        }
        let result: Int32
        if isIPv6 {
            var name = sockaddr_in6()
            name.sin6_family = sa_family_t(AF_INET6)
            name.sin6_port = address.port.bigEndian
            inet_pton(AF_INET6, address.host, &name.sin6_addr)
            result = Self.connect(descriptor, to: &name)
        } else {
            var name = sockaddr_in()
            name.sin_family = sa_family_t(AF_INET)
            name.sin_port = address.port.bigEndian
            inet_pton(AF_INET, address.host, &name.sin_addr)
            result = Self.connect(descriptor, to: &name)
        }
        // From here on deinit closes the descriptor, also when this throws.
        guard result == 0 else { throw Failure(call: "connect", errno: errno) }
    }

    deinit { Glibc.close(descriptor) }

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) throws {
        var start = 0
        while start < bytes.count {
            let count = bytes[start...].withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, 0x4000) }
            guard count > 0 else { throw Failure(call: "send", errno: errno) }
            start += count
        }
    }

    /// Sends from whatever thread calls. Only for so little that there is room.
    nonisolated func sendNow(_ text: String) {
        let bytes = Array(text.utf8)
        bytes.withUnsafeBytes { _ = Glibc.send(descriptor, $0.baseAddress, $0.count, 0x4000) }
    }

    func sendEnd() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Makes the close a reset.
    func resetOnClose() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    /// One response: its head as text, and its content by `Content-Length`.
    func response(isHead: Bool = false) throws -> (head: String, body: String) {
        while true {
            if let end = endOfHead() {
                let head = String(decoding: received[start..<end - 4], as: UTF8.self)
                let lines = head.split(separator: "\r\n")
                let length = lines.first { $0.hasPrefix("Content-Length: ") }.flatMap { Int($0.dropFirst(16)) } ?? 0
                let bodyEnd = end + (isHead ? 0 : length)
                while received.count < bodyEnd {
                    guard try receive() > 0 else { throw Failure(call: "end of stream", errno: 0) }
                }
                start = bodyEnd
                return (head, String(decoding: received[end..<bodyEnd], as: UTF8.self))
            }
            guard try receive() > 0 else { throw Failure(call: "end of stream", errno: 0) }
        }
    }

    /// Where the head of the next response ends, after its empty line.
    private func endOfHead() -> Int? {
        received.withUnsafeBytes { bytes in
            var index = start + 3
            while index < bytes.count {
                if bytes[index] == 0x0A, bytes[index - 1] == 0x0D, bytes[index - 2] == 0x0A { return index + 1 }
                index += 1
            }
            return nil
        }
    }

    /// The status code of the next response.
    func status() throws -> Int {
        Int(try response().head.dropFirst(9).prefix(3)) ?? 0
    }

    /// The next bytes as text.
    func text(count: Int) throws -> String {
        while received.count < start + count {
            guard try receive() > 0 else { throw Failure(call: "end of stream", errno: 0) }
        }
        defer { start += count }
        return String(decoding: received[start..<start + count], as: UTF8.self)
    }

    /// All that comes before the connection ends.
    func remainder() throws -> String {
        while try receive() > 0 {}
        return String(decoding: received[start...], as: UTF8.self)
    }

    /// How many bytes come before the connection ends, however it ends.
    func drain() -> Int {
        while let count = try? receive(), count > 0 {}
        return received.count - start
    }

    /// What comes next; empty at the end.
    func receiveSome() throws -> [UInt8] {
        let count = try receive()
        defer { received.removeLast(count) }
        return Array(received.suffix(count))
    }

    private func receive() throws -> Int {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count >= 0 else { throw Failure(call: "recv", errno: errno) }
        received.append(contentsOf: buffer[..<count])
        return count
    }

    private static func connect<Address>(_ descriptor: Int32, to name: inout Address) -> Int32 {
        withUnsafePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }
}
