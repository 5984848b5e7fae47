internal import Glibc

/// The store's database file: mode 0600, and durable across a power failure.
enum DatabaseFile {
    /// Ensures that `path` is a file of mode 0600, and creates it if it is missing.
    ///
    /// SQLite gives its WAL and shared-memory files the mode of the database file. An existing file is never opened
    /// here: closing any descriptor of a file releases the process's POSIX locks on it, including SQLite's.
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

    /// Creates a file of mode 0600. Fails if it exists.
    static func create(at path: String) throws(SQLiteStore.OpenFailure) {
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure("create", path, errno) }
        _ = Glibc.close(descriptor)
    }

    /// Syncs a file that is not open elsewhere, and its directory entry.
    ///
    /// - Returns: the file's size in bytes.
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

    /// Syncs the directory: without that, a power failure may lose the name of a synced file.
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
