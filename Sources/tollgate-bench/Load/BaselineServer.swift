import ArgumentParser
import Dispatch
import Glibc

/// `tollgate-bench baseline-server`: the baseline server, the minimum that a server on Dispatch can do. Each connection has a
/// read source; each event is one `read` and one `write` of constant bytes. It parses nothing and allocates nothing.
struct BaselineServer: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "baseline-server",
        abstract: "Answer whatever arrives with standard input's bytes, until standard input ends.",
        shouldDisplay: false)

    @Option(help: "Serial queues that the connections are spread over.")
    var queues = 1

    func run() throws {
        var answerBytes = 0
        guard read(STDIN_FILENO, &answerBytes, MemoryLayout<Int>.size) == MemoryLayout<Int>.size,
            answerBytes > 0, answerBytes <= 65_536
        else { throw BenchFailure("no answer on standard input") }
        let answer = UnsafeMutableRawBufferPointer.allocate(byteCount: answerBytes, alignment: 16)
        guard read(STDIN_FILENO, answer.baseAddress, answerBytes) == answerBytes else {
            throw BenchFailure("half an answer on standard input")
        }
        // Never written to after this.
        nonisolated(unsafe) let bytes = UnsafeRawBufferPointer(answer)
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        var addressBytes = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, addressBytes) == 0 && listen(listener, 1024) == 0
                    && getsockname(listener, $0, &addressBytes) == 0
            }
        }
        guard isListening else { throw BenchFailure(systemCall: "listen") }
        let loops = (0..<max(1, queues)).map { DispatchQueue(label: "baseline.\($0)") }
        DispatchQueue(label: "accept").async {
            var accepted = 0
            while true {
                let descriptor = accept(listener, nil, nil)
                guard descriptor >= 0 else { continue }
                Self.serve(descriptor, bytes, on: loops[accepted % loops.count])
                accepted += 1
            }
        }
        let line = Array("listening on 127.0.0.1:\(UInt16(bigEndian: address.sin_port))\n".utf8)
        guard write(STDOUT_FILENO, line, line.count) == line.count else { throw BenchFailure(systemCall: "write") }
        var end: UInt8 = 0
        while read(STDIN_FILENO, &end, 1) > 0 {}
    }

    private static func serve(_ descriptor: Int32, _ answer: UnsafeRawBufferPointer, on queue: DispatchQueue) {
        var isOn: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        // Never freed: the process ends with the measurement.
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 32 * 1024, alignment: 16)
        nonisolated(unsafe) let room = buffer
        nonisolated(unsafe) let bytes = answer
        source.setEventHandler {
            guard read(descriptor, room.baseAddress, room.count) > 0 else { return source.cancel() }
            _ = write(descriptor, bytes.baseAddress, bytes.count)
        }
        source.setCancelHandler {
            close(descriptor)
            room.deallocate()
        }
        source.activate()
    }
}

/// The baseline server as a separate process.
final class BaselineServerProcess {
    let port: UInt16
    private let child: ChildProcess

    /// Starts the process.
    ///
    /// - Parameters:
    ///   - answer: the bytes that it writes.
    ///   - queues: the number of its queues, equal to the gateway's number of event loops.
    init(answer: [UInt8], queues: Int) throws {
        child = try ChildProcess([try ProgramFile.own, "baseline-server", "--queues", String(queues)])
        try child.send(withUnsafeBytes(of: answer.count) { Array($0) } + answer)
        guard let port = UInt16(try child.line(after: "listening on 127.0.0.1:")) else {
            throw BenchFailure("the baseline has no port")
        }
        self.port = port
    }

    /// The resources that the process has used so far.
    func usage() throws -> ProcessUsage { try ProcessUsage(of: child.identifier) }
}

/// The paths of programs.
enum ProgramFile {
    /// This program.
    static var own: String {
        get throws {
            var path = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = readlink("/proc/self/exe", &path, path.count)
            guard count > 0 else { throw BenchFailure(systemCall: "/proc/self/exe") }
            return String(decoding: path[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }

    /// The path of a program in the same folder as this one.
    static func sibling(_ name: String) throws -> String {
        let own = try own
        return own[..<(own.lastIndex(of: "/") ?? own.startIndex)] + "/" + name
    }
}
