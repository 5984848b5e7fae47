internal import Glibc

/// The file in which a store lies: readable by its owner alone, and there after a power cut.
enum DatabaseFile {
    /// Makes sure that `path` is a file of mode 0600, creating it if need be.
    ///
    /// SQLite gives its write-ahead log and shared memory the mode of the database file, so they follow. An existing file
    /// is never opened here: POSIX locks go when any descriptor of a file is closed, SQLite's among them.
    static func prepare(at path: String) throws(SQLiteStore.OpenFailure) {
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        if descriptor >= 0 {
            _ = Glibc.close(descriptor)
            try synchronizeDirectory(of: path)
            return
        }
        guard errno == EEXIST else { throw failure("create", path, errno) }
        for suffix in ["", "-wal", "-shm"] where chmod(path + suffix, 0o600) != 0 {
            guard errno == ENOENT, !suffix.isEmpty else { throw failure("restrict", path + suffix, errno) }
        }
    }

    /// Makes a file of mode 0600 that isn't there yet.
    static func create(at path: String) throws(SQLiteStore.OpenFailure) {
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure("create", path, errno) }
        _ = Glibc.close(descriptor)
    }

    /// Makes a file that nobody has open durable, with its name.
    ///
    /// - Returns: how many bytes it has.
    static func synchronize(at path: String) throws(SQLiteStore.OpenFailure) -> Int64 {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("open", path, errno) }
        defer { _ = Glibc.close(descriptor) }
        var status = stat()
        guard fsync(descriptor) == 0, fstat(descriptor, &status) == 0 else {
            throw failure("synchronize", path, errno)
        }
        try synchronizeDirectory(of: path)
        return Int64(status.st_size)
    }

    /// Makes a new name durable: without it a power cut may leave a synced file that nobody finds.
    private static func synchronizeDirectory(of path: String) throws(SQLiteStore.OpenFailure) {
        let directory = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let descriptor = Glibc.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("open", directory, errno) }
        defer { _ = Glibc.close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure("synchronize", directory, errno) }
    }

    private static func failure(_ action: String, _ path: String, _ code: Int32) -> SQLiteStore.OpenFailure {
        .file(detail: "cannot \(action) \(path): \(String(cString: strerror(code)))")
    }
}
