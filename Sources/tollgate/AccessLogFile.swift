import Glibc

/// Where the access log's lines go: standard output or a file. Whole lines are written, so that what others write there stands
/// before or behind a line and never in it.
final class AccessLogFile: Sendable {
    /// What a pipe takes at once or not at all (pipe(7), `PIPE_BUF`).
    private static let pipeBytesMax = 4096

    private enum Kind {
        /// A write ends by itself.
        case regular
        /// A write may wait for a reader.
        case stream
        /// The same, of a socket.
        case socket
    }

    private let descriptor: CInt
    /// Nothing if it is standard output.
    private let path: String?

    /// Standard output.
    init() {
        descriptor = STDOUT_FILENO
        path = nil
    }

    /// A file, which is added to and made if there is none.
    init(_ path: String) throws {
        self.path = path
        descriptor = try Self.open(path)
    }

    private static func open(_ path: String) throws -> CInt {
        // A pipe without a reader must be refused and not waited for.
        let descriptor = Glibc.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o640)
        guard descriptor >= 0 else { throw Failure("access log: \(path): \(File.systemError())") }
        return descriptor
    }

    /// Opens the file anew, which may have been moved away; lines go to the one or the other, whole.
    func reopen() throws {
        guard let path else { return }
        let fresh = try Self.open(path)
        defer { close(fresh) }
        guard dup2(fresh, descriptor) >= 0, fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else {
            throw Failure("access log: \(path): \(File.systemError())")
        }
    }

    /// Writes lines, each with its end. Waits while nobody takes what is written.
    ///
    /// - Returns: how many could not be written, for want of space or of anyone who reads.
    func write(_ lines: [UInt8]) -> Int {
        let kind = kind
        return lines.withUnsafeBytes { lines in
            var start = 0
            while start < lines.count {
                let rest = UnsafeRawBufferPointer(rebasing: lines[start...])
                let count = kind == .regular ? rest.count : Self.wholeLines(in: rest)
                let written = writeOnce(UnsafeRawBufferPointer(rebasing: rest[..<count]), kind)
                guard written > 0 else { return rest.lineCount }
                start += written
            }
            return 0
        }
    }

    private var kind: Kind {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return .regular }
        switch status.st_mode & S_IFMT {
        case S_IFIFO, S_IFCHR: return .stream
        case S_IFSOCK: return .socket
        default: return .regular
        }
    }

    /// How many bytes the whole lines have that a pipe takes at once; all that it takes of a line that is longer.
    private static func wholeLines(in bytes: UnsafeRawBufferPointer) -> Int {
        guard bytes.count > pipeBytesMax else { return bytes.count }
        let end = bytes[..<pipeBytesMax].lastIndex(of: UInt8(ascii: "\n"))
        return end.map { $0 + 1 } ?? pipeBytesMax
    }

    /// Writes some of the bytes; 0 if that can't be done.
    private func writeOnce(_ bytes: UnsafeRawBufferPointer, _ kind: Kind) -> Int {
        while true {
            if kind != .regular {
                var watched = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                // Whatever it says, the write says it, too.
                _ = poll(&watched, 1, -1)
            }
            let count =
                kind == .socket
                ? send(
                    descriptor, bytes.baseAddress, bytes.count,
                    Int32(truncatingIfNeeded: MSG_DONTWAIT) | Int32(truncatingIfNeeded: MSG_NOSIGNAL))
                : Glibc.write(descriptor, bytes.baseAddress, bytes.count)
            guard count < 0 else { return count }
            guard errno == EINTR || errno == EAGAIN else { return 0 }
        }
    }
}

extension UnsafeRawBufferPointer {
    fileprivate var lineCount: Int { reduce(0) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) } }
}
