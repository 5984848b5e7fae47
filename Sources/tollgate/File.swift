import Glibc
import OpenSSL

/// Files as bytes, read and written with the system's calls, so that modes and syncs are what we say they are.
enum File {
    /// Reads a whole file, or standard input if the path is `-`.
    static func read(_ path: String, byteCountMax: Int) throws -> [UInt8] {
        let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure("\(path): \(systemError())") }
        defer { if path != "-" { close(descriptor) } }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Failure("\(path): \(systemError())") }
            guard count > 0 else { return bytes }
            guard bytes.count + count <= byteCountMax else {
                throw Failure("\(path): larger than \(byteCountMax) bytes")
            }
            bytes += chunk[..<count]
        }
    }

    /// Whether anything lies at the path.
    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Writes a file that only its owner can read, all of it or nothing: beside its place, synced, then renamed.
    static func writePrivate(_ path: String, _ content: UnsafeRawBufferPointer) throws {
        let draft = path + ".draft-\(getpid())"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Failure("\(draft): \(systemError())") }
        var written = 0
        while written < content.count {
            let count = write(descriptor, content.baseAddress?.advanced(by: written), content.count - written)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let reason = systemError()
                close(descriptor)
                unlink(draft)
                throw Failure("\(draft): \(reason)")
            }
            written += count
        }
        guard fchmod(descriptor, 0o600) == 0, fsync(descriptor) == 0, close(descriptor) == 0, rename(draft, path) == 0
        else { throw Failure("\(path): \(systemError())") }
    }

    /// Writes text that only its owner can read. See ``writePrivate(_:_:)-(String,UnsafeRawBufferPointer)``.
    static func writePrivate(_ path: String, _ text: String) throws {
        var text = text
        try text.withUTF8 { try writePrivate(path, UnsafeRawBufferPointer($0)) }
    }

    /// Syncs a folder, so that the names in it survive a loss of power.
    static func syncFolder(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure("\(path): \(systemError())") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw Failure("\(path): \(systemError())") }
    }

    /// What the last system call's error number means.
    static func systemError() -> String { String(cString: strerror(errno)) }
}

/// Standard output, written at once even to a pipe.
enum StandardOutput {
    static func write(_ bytes: [UInt8]) {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            written += count
        }
    }

    /// Writes a line.
    static func writeLine(_ line: String) { write(Array((line + "\n").utf8)) }
}

/// Standard error, for what the operator should know.
enum StandardError {
    /// Writes a line.
    static func writeLine(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = bytes.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
