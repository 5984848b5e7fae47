import Glibc

/// By what a change of files is noticed without reading them: of each its identity, size and times.
struct ConfigurationStamp: Equatable {
    private struct File: Equatable {
        let device: dev_t
        let number: ino_t
        let byteCount: off_t
        /// Content and attributes; the second changes with a mode, too, by which a file may become readable.
        let modified: [Int]
        let changed: [Int]
    }

    private let files: [String: File?]

    /// Looks at files; one that isn't there counts as such.
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
