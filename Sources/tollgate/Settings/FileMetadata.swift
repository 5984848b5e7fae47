import Glibc

/// Detects changed files without reading them: the identity, size and times of each file.
struct FileMetadata: Equatable {
    private struct File: Equatable {
        let device: dev_t
        let number: ino_t
        let byteCount: off_t
        /// mtime and ctime. ctime also changes with the mode, which may make a file readable.
        let modified: [Int]
        let changed: [Int]
    }

    private let files: [String: File?]

    /// Takes the metadata of files; a missing file is recorded as missing.
    init(_ paths: [String]) {
        files = Dictionary(paths.map { ($0, Self.file($0)) }) { first, _ in first }
    }

    private static func file(_ path: String) -> File? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return File(
            device: status.st_dev, number: status.st_ino, byteCount: status.st_size,
            modified: [status.st_mtim.tv_sec, status.st_mtim.tv_nsec],
            changed: [status.st_ctim.tv_sec, status.st_ctim.tv_nsec])
    }
}
