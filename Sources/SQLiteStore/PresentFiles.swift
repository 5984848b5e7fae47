internal import GRDB
internal import Glibc
internal import Payments

/// The files that a store has open, by which it sees that they are still where they were.
///
/// What is written to a file that someone has deleted or put another one in the place of would be synced, acknowledged and
/// gone with the process.
struct PresentFiles: Sendable {
    private struct Identity: Equatable {
        let device: dev_t
        let inode: ino_t
    }

    private let files: [(path: String, identity: Identity?)]

    /// Notes the database at `path` and its write-ahead log, both of them open.
    init(path: String) {
        files = [path, path + "-wal"].map { ($0, Self.identity($0)) }
    }

    /// Throws if another file, or none, is where one of them was.
    func check() throws(StoreFailure) {
        for (path, identity) in files where identity == nil || Self.identity(path) != identity {
            throw .unavailable(detail: "\(path): not the file that was opened; bring that one back, or start anew")
        }
    }

    private static func identity(_ path: String) -> Identity? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Identity(device: status.st_dev, inode: status.st_ino)
    }
}
