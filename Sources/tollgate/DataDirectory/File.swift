import Glibc
import Values

/// Reads and writes files with system calls, so that modes and syncs are exactly as stated.
enum File {
    /// Reads a whole file, or standard input if the path is `-`.
    static func read(_ path: String, byteCountMax: Int) throws -> [UInt8] {
        let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure("\(path): \(systemError())") }
        defer { if path != "-" { close(descriptor) } }
        return try readAll(descriptor, path, byteCountMax: byteCountMax)
    }

    /// Reads a configuration file, which must be a regular one. A running gateway reads it again, and must not block on
    /// a FIFO without a writer.
    static func readRegular(_ path: String, byteCountMax: Int) throws -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Failure("\(path): \(systemError())") }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Failure("\(path): \(systemError())") }
        guard status.st_mode & S_IFMT == S_IFREG else { throw Failure("\(path): not a regular file") }
        return try readAll(descriptor, path, byteCountMax: byteCountMax)
    }

    private static func readAll(_ descriptor: CInt, _ path: String, byteCountMax: Int) throws -> [UInt8] {
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

    /// Who may access a file that holds a secret.
    enum Users {
        /// Only its owner: a file that group or others may read or change is refused. A file owned by root may be
        /// readable by its group, since Kubernetes can provide secret volumes to a service that is not root only in this
        /// way.
        case owner
        /// Anyone who has access; the mode is not checked.
        case anyone
    }

    /// Reads a secret, and leaves no copy of it in memory.
    ///
    /// - Parameter users: with `.owner`, the mode is checked on the opened file, which must be a regular one.
    static func readSecret(_ path: String, byteCountMax: Int, users: Users = .owner) throws -> SecretBytes {
        guard path != "-" else { return SecretBytes(try read(path, byteCountMax: byteCountMax)) }
        // A FIFO without a writer must be refused, not waited for.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | (users == .owner ? O_NONBLOCK : 0))
        guard descriptor >= 0 else { throw Failure("\(path): \(systemError())") }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Failure("\(path): \(systemError())") }
        guard status.st_mode & S_IFMT == S_IFREG else {
            guard users == .anyone else { throw Failure("\(path): not a regular file; write the secret into one") }
            return SecretBytes(try read(path, byteCountMax: byteCountMax))
        }
        guard users == .anyone || isPrivate(mode: status.st_mode, owner: status.st_uid, user: geteuid()) else {
            let mode = String(status.st_mode & 0o777, radix: 8)
            throw Failure(
                "\(path): group or others may use it (mode 0\(mode)); type: chmod 600 \(ShellWord.quoted(path))")
        }
        guard status.st_size <= byteCountMax else { throw Failure("\(path): larger than \(byteCountMax) bytes") }
        return try SecretBytes(count: Int(status.st_size)) { buffer in
            var count = 0
            while count < buffer.count {
                let read = Glibc.read(descriptor, buffer.baseAddress?.advanced(by: count), buffer.count - count)
                if read < 0, errno == EINTR { continue }
                guard read > 0 else { throw Failure("\(path): \(read < 0 ? systemError() : "it changes; try again")") }
                count += read
            }
        }
    }

    /// Whether a file is private to its owner, or was handed over by root to a user who is not root.
    static func isPrivate(mode: mode_t, owner: uid_t, user: uid_t) -> Bool {
        mode & (owner == 0 && user != 0 ? 0o037 : 0o077) == 0
    }

    /// Whether anything exists at the path.
    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// The folder that contains a path.
    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Whether a path is a folder.
    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Writes a file that only its owner can read, atomically: writes a draft in the same folder, syncs the draft, then
    /// renames it.
    ///
    /// - Parameter isSynced: false for content that is worthless once the process has ended.
    static func writePrivate(_ path: String, _ content: UnsafeRawBufferPointer, isSynced: Bool = true) throws {
        let draft = path + ".draft-\(getpid())"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Failure("\(draft): \(systemError())") }
        guard writeAll(content, to: descriptor) else {
            let reason = systemError()
            close(descriptor)
            unlink(draft)
            throw Failure("\(draft): \(reason)")
        }
        guard fchmod(descriptor, 0o600) == 0, !isSynced || fsync(descriptor) == 0, close(descriptor) == 0,
            rename(draft, path) == 0
        else { throw Failure("\(path): \(systemError())") }
    }

    /// Writes a string to a file that only its owner can read, atomically.
    static func writePrivate(_ path: String, _ text: String, isSynced: Bool = true) throws {
        var text = text
        try text.withUTF8 { try writePrivate(path, UnsafeRawBufferPointer($0), isSynced: isSynced) }
    }

    /// Writes and syncs a new file. An existing file is refused and left unchanged.
    static func writeNew(_ path: String, mode: mode_t, _ content: UnsafeRawBufferPointer) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
        guard descriptor >= 0 else {
            throw Failure("\(path): \(errno == EEXIST ? "it is there already; name another file" : systemError())")
        }
        defer { close(descriptor) }
        guard writeAll(content, to: descriptor), fsync(descriptor) == 0 else {
            let reason = systemError()
            unlink(path)
            throw Failure("\(path): \(reason)")
        }
    }

    /// Replaces a file's content atomically, and keeps its mode and owner. For a symbolic link, the target is replaced.
    static func replace(_ path: String, _ text: String) throws {
        guard let real = realpath(path, nil) else { throw Failure("\(path): \(systemError())") }
        defer { free(real) }
        let target = String(cString: real)
        var status = stat()
        guard stat(target, &status) == 0 else { throw Failure("\(path): \(systemError())") }
        let draft = target + ".draft-\(getpid())"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Failure("\(draft): \(systemError())") }
        // The replacement fails if the owner can't be kept: the same mode with another owner would admit the wrong
        // users.
        let isAlike =
            (status.st_uid == geteuid() && status.st_gid == getegid())
            || fchown(descriptor, status.st_uid, status.st_gid) == 0
        var text = text
        let isWritten = text.withUTF8 { writeAll(UnsafeRawBufferPointer($0), to: descriptor) }
        guard isAlike, isWritten, fchmod(descriptor, status.st_mode & 0o7777) == 0, fsync(descriptor) == 0,
            rename(draft, target) == 0
        else {
            let reason = systemError()
            close(descriptor)
            unlink(draft)
            throw Failure("\(path): \(reason)")
        }
        close(descriptor)
        try syncFolder(String(target[..<(target.lastIndex(of: "/") ?? target.startIndex)]) + "/")
    }

    private static func writeAll(_ content: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
        var written = 0
        while written < content.count {
            let count = write(descriptor, content.baseAddress?.advanced(by: written), content.count - written)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            written += count
        }
        return true
    }

    /// Syncs a folder, so that the names in it survive a power loss.
    static func syncFolder(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure("\(path): \(systemError())") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw Failure("\(path): \(systemError())") }
    }

    /// Runs `body` under an exclusive lock on a folder (flock(2)). A second process waits.
    static func withFolderHeld(_ path: String, _ body: () throws -> Void) throws {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure("\(path): \(systemError())") }
        defer { close(descriptor) }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw Failure("\(path): \(systemError())") }
        }
        try body()
    }

    /// The message for the current `errno`.
    static func systemError() -> String { String(cString: strerror(errno)) }
}
