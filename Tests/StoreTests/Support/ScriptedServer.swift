import Foundation
import Glibc
import PostgresStore
import Synchronization

/// What takes itself for a PostgreSQL server, on a loopback port that the system chose: it lets everyone in and answers
/// by a script.
///
/// - Source: PostgreSQL 15, "55.2. Message Flow", "55.7. Message Formats"
final class ScriptedServer: Sendable {
    /// What is asked in a pipeline, from its beginning to its end.
    typealias Pipeline = [Question]

    enum Question: Equatable, Sendable {
        case prepare(String)
        case run(String)
        case text(String)
    }

    enum Answer: Sendable {
        case bytes([UInt8])
        /// Again and again until nobody takes it any more, with a pause in between.
        case endless([UInt8], pauseMicroseconds: UInt32 = 0)
        /// Nothing, and the connection ends.
        case end
    }

    private let listener: Int32
    private let greeting: [UInt8]
    private let script: @Sendable (Pipeline) -> Answer
    private let sent = Atomic<Int>(0)

    /// A server that listens.
    ///
    /// - Parameters:
    ///   - greeting: what it says before it is ready for the first question.
    ///   - script: what it answers; see ``lawful(_:)``.
    init(greeting: [UInt8] = [], script: @escaping @Sendable (Pipeline) -> Answer) throws {
        self.greeting = greeting
        self.script = script
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, length) }
        }
        guard status == 0, listen(listener, 16) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        Thread.detachNewThread { self.accept() }
    }

    /// A URL without TLS.
    var url: String {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &length) }
        }
        let port = UInt16(bigEndian: address.sin_port)
        return "postgres://postgres@127.0.0.1:\(port)/postgres?sslmode=disable&gssencmode=disable"
    }

    /// How many bytes it was rid of.
    var sentBytes: Int { sent.load(ordering: .relaxed) }

    /// Lets nobody in any more.
    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    private func accept() {
        while true {
            let client = Glibc.accept(listener, nil, nil)
            if client < 0 {
                guard errno == EINTR || errno == ECONNABORTED else { break }
                continue
            }
            Thread.detachNewThread {
                self.serve(client)
                close(client)
            }
        }
    }

    deinit { close(listener) }

    private func serve(_ client: Int32) {
        guard let length = Self.read(client, 4).map(Self.integer), Self.read(client, length - 4) != nil,
            send(Self.message("R", [0, 0, 0, 0]) + greeting + Self.ready, to: client)
        else { return }
        var pipeline: Pipeline = []
        var parsed: (name: String, text: String)?
        while let head = Self.read(client, 5), let body = Self.read(client, Self.integer(head[1...]) - 4) {
            let words = body.split(separator: 0, omittingEmptySubsequences: false).map {
                String(decoding: $0, as: UTF8.self)
            }
            switch head[0] {
            case UInt8(ascii: "P"):
                parsed = (words[0], words[1])
                // A statement with a name is prepared; one without is run at once.
                if !words[0].isEmpty { pipeline.append(.prepare(words[0])) }
            case UInt8(ascii: "B"):
                pipeline.append(words[1].isEmpty ? .text(parsed?.text ?? "") : .run(words[1]))
            case UInt8(ascii: "S"):
                guard answer(script(pipeline), to: client) else { return }
                pipeline = []
            case UInt8(ascii: "X"): return
            default: break
            }
        }
    }

    private func answer(_ answer: Answer, to client: Int32) -> Bool {
        switch answer {
        case .bytes(let bytes): return send(bytes, to: client)
        case .endless(let bytes, let pause):
            while send(bytes, to: client) { usleep(pause) }
            return false
        case .end: return false
        }
    }

    private func send(_ bytes: [UInt8], to client: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            sent.add(count, ordering: .relaxed)
            rest = rest.dropFirst(count)
        }
        return true
    }

    private static func read(_ client: Int32, _ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: max(count, 0))
        var done = 0
        while done < bytes.count {
            let got = bytes.withUnsafeMutableBytes {
                recv(client, $0.baseAddress.map { $0 + done }, $0.count - done, 0)
            }
            guard got > 0 else { return nil }
            done += got
        }
        return bytes
    }

    private static func integer(_ bytes: some Sequence<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}

/// Messages of a server.
extension ScriptedServer {
    static func message(_ type: Character, _ body: [UInt8] = []) -> [UInt8] {
        [type.asciiValue ?? 0] + bigEndian(Int32(body.count + 4)) + body
    }

    static func text(_ text: String) -> [UInt8] { Array(text.utf8) + [0] }

    static func bigEndian(_ integer: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: integer.bigEndian, Array.init)
    }

    static let ready = message("Z", [UInt8(ascii: "I")])

    /// What comes before rows, each with so many values in binary.
    static func columns(_ count: Int = 1) -> [UInt8] {
        let column =
            text("value") + bigEndian(Int32(0)) + bigEndian(Int16(0)) + bigEndian(Int32(20)) + bigEndian(Int16(8))
            + bigEndian(Int32(-1)) + bigEndian(Int16(1))
        return message("T", bigEndian(Int16(count)) + Array(repeating: column, count: count).flatMap(\.self))
    }

    static func row(_ values: [UInt8]...) -> [UInt8] {
        message("D", bigEndian(Int16(values.count)) + values.flatMap { bigEndian(Int32($0.count)) + $0 })
    }

    static func complete(_ tag: String) -> [UInt8] { message("C", text(tag)) }

    static func error(_ sqlState: String) -> [UInt8] {
        message("E", text("SERROR") + text("C" + sqlState) + text("Mrefused") + [0])
    }

    static func notification(_ payload: Int) -> [UInt8] {
        message("A", bigEndian(Int32(1)) + text("channel") + text(String(repeating: "x", count: payload)))
    }

    static let notice = message("N", text("SNOTICE") + text("C00000") + text("Ma remark") + [0])

    static func setting(_ name: String) -> [UInt8] { message("S", text(name) + text("value")) }

    /// The answer to one question: that it was prepared, or what it did, with rows or without.
    static func answered(_ question: Question, rows: [UInt8], tag: String = "SELECT 1") -> [UInt8] {
        let parsed = message("1")
        let bound = message("2")
        return switch question {
        case .prepare: parsed
        case .run: bound + rows + complete(tag)
        case .text: parsed + bound + rows + complete(tag)
        }
    }

    /// The same, with one row of a `bigint` or without any.
    static func answered(_ question: Question, _ value: Int64?, tag: String = "SELECT 1") -> [UInt8] {
        answered(question, rows: value.map { columns() + row(bigEndian($0)) } ?? message("n"), tag: tag)
    }

    /// What a server answers that keeps the protocol: to each question the same number.
    static func lawful(_ pipeline: Pipeline, _ value: Int64? = 1) -> [UInt8] {
        pipeline.flatMap { answered($0, value) } + ready
    }
}
