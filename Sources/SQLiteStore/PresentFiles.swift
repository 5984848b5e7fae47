internal import GRDB
internal import Glibc
internal import Vault

/// Detects that the store's open files were deleted or replaced.
///
/// Writes to a deleted or replaced file would be synced and acknowledged, and then lost when the process ends.
struct PresentFiles: Sendable {
    private struct Identity: Equatable {
        let device: dev_t
        let inode: ino_t
    }

    private let files: [(path: String, identity: Identity?)]

    /// Records the identity of the database at `path` and of its write-ahead log. Both must be open.
    init(path: String) {
        files = [path, path + "-wal"].map { ($0, Self.identity($0)) }
    }

    /// Throws if one of the files is missing or was replaced.
    func check() throws(StoreFailure) {
        for (path, identity) in files where identity == nil || Self.identity(path) != identity {
            throw .unavailable(
                detail: "\(path): not the file that was opened; bring that one back, or start with a new one")
        }
    }

    private static func identity(_ path: String) -> Identity? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Identity(device: status.st_dev, inode: status.st_ino)
    }
}
