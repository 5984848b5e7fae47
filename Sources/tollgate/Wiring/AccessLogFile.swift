import Glibc

/// The destination of the access log: standard output or a file. It writes whole lines, so that another process's
/// output never lands inside a line.
final class AccessLogFile: Sendable {
    /// The number of bytes up to which a pipe write is atomic (pipe(7), `PIPE_BUF`).
    private static let pipeBytesMax = 4096

    private enum Kind {
        /// A regular file: a write completes without a reader.
        case regular
        /// A pipe or terminal: a write may block until a reader drains it.
        case stream
        /// A socket: a write may block until the peer reads.
        case socket
    }

    private let descriptor: CInt
    /// The file's path; nil for standard output.
    private let path: String?

    /// Writes to standard output.
    init() {
        descriptor = STDOUT_FILENO
        path = nil
    }

    /// Appends to a file, and creates it if missing.
    init(_ path: String) throws {
        self.path = path
        descriptor = try Self.open(path)
    }

    private static func open(_ path: String) throws -> CInt {
        // Opening a FIFO without a reader must fail, not block.
        let descriptor = Glibc.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o640)
        guard descriptor >= 0 else { throw Failure("access log: \(path): \(File.systemError())") }
        return descriptor
    }

    /// Reopens the file, for log rotation. Each line goes whole to the old file or to the new one.
    func reopen() throws {
        guard let path else { return }
        let fresh = try Self.open(path)
        defer { close(fresh) }
        guard dup2(fresh, descriptor) >= 0, fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else {
            throw Failure("access log: \(path): \(File.systemError())")
        }
    }

    /// Writes lines, each with its line end. Blocks while the reader doesn't read.
    ///
    /// - Returns: the number of lines that could not be written because of a full disk or a missing reader.
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

    /// The number of bytes for one atomic pipe write: the whole lines that fit, or `PIPE_BUF` bytes of a longer line.
    private static func wholeLines(in bytes: UnsafeRawBufferPointer) -> Int {
        guard bytes.count > pipeBytesMax else { return bytes.count }
        let end = bytes[..<pipeBytesMax].lastIndex(of: UInt8(ascii: "\n"))
        return end.map { $0 + 1 } ?? pipeBytesMax
    }

    /// Writes some of the bytes. Returns 0 on failure.
    private func writeOnce(_ bytes: UnsafeRawBufferPointer, _ kind: Kind) -> Int {
        while true {
            if kind != .regular {
                var watched = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                // The result is ignored: the write reports the same error.
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
