import Glibc

/// Removes the permissions of others (mode bits 0007) from files and folders. The group's bits stay: the group is how
/// secrets reach a service that isn't root (`fsGroup` of Kubernetes).
enum OtherPermissions {
    private static let all: mode_t = 0o007
    private static let write: mode_t = 0o002

    /// Removes them, with a warning, from a file that holds secrets or defines who has access. A file whose bits can't be
    /// removed is refused. A file that is missing or not a regular one is ignored; the code that reads it reports the
    /// error.
    static func remove(fromFile path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_mode & all != 0 else {
            return
        }
        if let reason = change(descriptor, path, status.st_mode) {
            throw Failure(
                "\(path): others may use it (mode \(text(status.st_mode))), and that can't be changed from here (\(reason)); "
                    + "as its owner type: chmod o-rwx \(ShellWord.quoted(path)). In a volume of secrets, say "
                    + "defaultMode: 0440 and an fsGroup")
        }
    }

    /// Removes them from a folder, with a warning. A folder whose bits can't be removed is refused if others can
    /// replace the files in it. Read access alone is harmless, since the files themselves are private.
    static func remove(fromFolder path: String) throws {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var status = stat()
        // In a sticky folder such as /tmp (`S_ISVTX`), nobody can replace another user's files, and its mode must not
        // change.
        guard fstat(descriptor, &status) == 0, status.st_mode & all != 0, status.st_mode & S_ISVTX == 0 else { return }
        let reason =
            isOfEveryone(path) ? "it is more than a data directory" : change(descriptor, path, status.st_mode)
        guard let reason, status.st_mode & write != 0, !isReadOnly(descriptor) else { return }
        throw Failure(
            "\(path): others may write in it (mode \(text(status.st_mode))), and that can't be changed from here (\(reason)); "
                + "name a folder in it that is not there yet, or as its owner type: chmod o-rwx \(ShellWord.quoted(path))"
        )
    }

    /// - Returns: the reason if they could not be removed, otherwise nil.
    private static func change(_ descriptor: CInt, _ path: String, _ mode: mode_t) -> String? {
        guard fchmod(descriptor, mode & 0o7777 & ~all) == 0 else { return File.systemError() }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & all == 0 else {
            return "the file system keeps no modes"
        }
        StandardError.offerLine("\(path): others could use it (mode \(text(mode))); it is \(text(status.st_mode)) now")
        return nil
    }

    private static func isOfEveryone(_ path: String) -> Bool {
        path == "/" || path == getenv("HOME").map { String(cString: $0) }
    }

    private static func isReadOnly(_ descriptor: CInt) -> Bool {
        var status = statvfs()
        return fstatvfs(descriptor, &status) == 0 && status.f_flag & UInt(ST_RDONLY) != 0
    }

    private static func text(_ mode: mode_t) -> String {
        let digits = String(mode & 0o777, radix: 8)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }
}
