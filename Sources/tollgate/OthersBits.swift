import Glibc

/// Takes from files and folders what lets others use them: neither their owner nor their group, which is what hands secrets to a
/// service that isn't root (`fsGroup` of Kubernetes).
enum OthersBits {
    private static let all: mode_t = 0o007
    private static let write: mode_t = 0o002

    /// Takes them from a file that holds secrets or says who may ask, with a warning. A file that keeps them is refused; one that
    /// isn't there, or is no regular file, is left to whoever reads it.
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

    /// Takes them from a folder, with a warning. One that keeps them is refused if others can put files of their own in the
    /// place of those in it: who may only look at it finds files that are not for them.
    static func remove(fromFolder path: String) throws {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var status = stat()
        // In a folder like /tmp (S_ISVTX) nobody touches another's files, and everyone needs it as it is.
        guard fstat(descriptor, &status) == 0, status.st_mode & all != 0, status.st_mode & S_ISVTX == 0 else { return }
        let reason =
            isOfEveryone(path) ? "it is more than a data directory" : change(descriptor, path, status.st_mode)
        guard let reason, status.st_mode & write != 0, !isReadOnly(descriptor) else { return }
        throw Failure(
            "\(path): others may write in it (mode \(text(status.st_mode))), and that can't be changed from here (\(reason)); "
                + "name a folder in it that is not there yet, or as its owner type: chmod o-rwx \(ShellWord.quoted(path))"
        )
    }

    /// - Returns: why they are still there, if they are.
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
