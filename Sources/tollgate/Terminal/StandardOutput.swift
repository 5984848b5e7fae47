import Glibc

/// Standard output, unbuffered even for a pipe.
enum StandardOutput {
    static func write(_ bytes: [UInt8]) { writeAll(bytes, to: STDOUT_FILENO) }

    /// Writes a line.
    static func writeLine(_ line: String) { write(Array((line + "\n").utf8)) }

    /// Writes a line, or drops it if the write would block, since a running gateway must not wait for a reader.
    static func offerLine(_ line: String) {
        if hasRoom(STDOUT_FILENO) { writeLine(line) }
    }
}

/// Standard error, for messages to the operator.
enum StandardError {
    static func write(_ text: String) { writeAll(Array(text.utf8), to: STDERR_FILENO) }

    /// Writes a line.
    static func writeLine(_ line: String) { writeAll(Array((line + "\n").utf8), to: STDERR_FILENO) }

    /// Writes a line, or drops it if the write would block, since a running gateway must not wait for a reader.
    static func offerLine(_ line: String) {
        if hasRoom(STDERR_FILENO) { writeLine(line) }
    }
}

/// Whether a line can be written without blocking. A pipe that is writable has room for at least 4 KiB (pipe(7)).
private func hasRoom(_ descriptor: Int32) -> Bool {
    var watched = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&watched, 1, 0) == 1
}

private func writeAll(_ bytes: [UInt8], to descriptor: Int32) {
    var written = 0
    while written < bytes.count {
        let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return }
        written += count
    }
}
