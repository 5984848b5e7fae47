import Foundation
import Glibc
import Testing

/// Why the store of a gateway that runs can't be written for a while; all of it comes from outside of the gateway.
enum StoreOutage: String, CaseIterable, CustomTestStringConvertible {
    /// No file may grow, as on a full disk.
    case fileSizeLimit
    /// Another process holds the lock that writers of the file take.
    case lock
    /// The file was moved away; what is written into it would be lost with the process.
    case movedDatabase
    /// The write-ahead log was moved away.
    case movedLog
    /// The disk doesn't sync.
    case syncError
    /// The disk doesn't sync within the time for which a client waits.
    case slowSync
    /// The disk is full.
    case noSpace
    /// The file system has become read-only.
    case readOnly
    /// The disk doesn't take what is written.
    case writeError

    var testDescription: String { rawValue }

    /// What SQLite, or the gateway, says of it on standard error.
    var words: String {
        switch self {
        case .fileSizeLimit, .writeError: "SQLite 778: disk I/O error"
        case .lock: "database is locked"
        case .movedDatabase, .movedLog: "not the file that was opened"
        case .syncError: "SQLite 1034: disk I/O error"
        case .slowSync: "the write timed out"
        case .noSpace: "SQLite 13: database or disk is full"
        case .readOnly: "SQLite 778: disk I/O error"
        }
    }

    /// What `strace` does to the system's calls, if this is its work.
    private var injection: String? {
        switch self {
        case .fileSizeLimit, .lock, .movedDatabase, .movedLog: nil
        case .syncError: "fsync,fdatasync:error=EIO"
        case .slowSync: "fsync,fdatasync:delay_enter=4000000"
        case .noSpace: "pwrite64:error=ENOSPC"
        case .readOnly: "pwrite64:error=EROFS"
        case .writeError: "pwrite64:error=EIO"
        }
    }

    /// Those that need `strace`, and those that any process can bring about.
    static let traced = allCases.filter { $0.injection != nil }
    static let plain = allCases.filter { $0.injection == nil }

    /// Whether `strace` is there and may look at a process that isn't its child.
    static let canTrace: Bool = {
        guard let folder = try? TestFolder() else { return false }
        defer { folder.remove() }
        guard let sleeper = try? ChildProcess("/bin/sleep", ["60"], errors: folder.errors) else { return false }
        return (try? tracing(sleeper.identifier, "fsync:error=EIO", in: folder)) != nil
    }()

    /// Brings it about.
    ///
    /// - Returns: what ends it.
    func begin(_ gateway: RunningGateway, in folder: TestFolder) throws -> () throws -> Void {
        let identifier = gateway.process.identifier
        if let injection {
            let tracer = try Self.tracing(identifier, injection, in: folder)
            return {
                tracer.signal(SIGTERM)
                _ = try tracer.wait()
            }
        }
        switch self {
        case .fileSizeLimit:
            // The file of errors is smaller than that, and the log of writes is longer already.
            try Self.limitFileSize(of: identifier, "8000:", in: folder)
            return { try Self.limitFileSize(of: identifier, "unlimited:", in: folder) }
        case .lock:
            let held = try WriteLock(of: folder.data + "/tollgate.sqlite")
            return { held.release() }
        case .movedDatabase: return try Self.moving(folder.data + "/tollgate.sqlite")
        default: return try Self.moving(folder.data + "/tollgate.sqlite-wal")
        }
    }

    private static func moving(_ path: String) throws -> () throws -> Void {
        try FileManager.default.moveItem(atPath: path, toPath: path + ".elsewhere")
        return { try FileManager.default.moveItem(atPath: path + ".elsewhere", toPath: path) }
    }

    static func limitFileSize(of identifier: pid_t, _ limit: String, in folder: TestFolder) throws {
        let command = try ChildProcess(
            "/usr/bin/prlimit", ["--pid", "\(identifier)", "--fsize=\(limit)"], errors: folder.path + "/prlimit-errors")
        guard try command.wait() == .exited(0) else { throw ChildProcess.Failure.system("prlimit", 0) }
    }

    /// An `strace` that does something to a process's calls.
    private static func tracing(
        _ identifier: pid_t, _ injection: String, in folder: TestFolder
    ) throws -> ChildProcess {
        let calls = injection.prefix { $0 != ":" }
        return try tracer(
            identifier, ["-e", "trace=\(calls)", "-e", "inject=\(injection)", "-o", "/dev/null"], in: folder)
    }

    /// An `strace` that is attached to all threads of a process.
    static func tracer(_ identifier: pid_t, _ arguments: [String], in folder: TestFolder) throws -> ChildProcess {
        let errors = "strace-errors-\(UUID().uuidString)"
        let tracer = try ChildProcess(
            "/usr/bin/strace", ["-f", "-p", "\(identifier)"] + arguments, errors: "\(folder.path)/\(errors)")
        for _ in 0..<Patience.seconds * 50 {
            let said = (try? folder.text(errors)) ?? ""
            if said.contains("attached") { return tracer }
            if said.contains("not permitted") || tracer.isGone { break }
            usleep(20_000)
        }
        throw ChildProcess.Failure.system("strace", 0)
    }
}

/// The lock that a writer of a SQLite file in WAL mode holds (SQLite, "WAL-mode File Format", §2.3: byte 120 of the shared
/// memory's file), held by this process.
private final class WriteLock {
    private let descriptor: Int32

    init(of path: String) throws {
        descriptor = open(path + "-shm", O_RDWR | O_CLOEXEC)
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = 120
        lock.l_len = 1
        guard descriptor >= 0, fcntl(descriptor, F_SETLKW, &lock) == 0 else {
            throw ChildProcess.Failure.system("lock", errno)
        }
    }

    func release() { close(descriptor) }
}
