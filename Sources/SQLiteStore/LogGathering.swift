internal import GRDB
internal import GRDBSQLite

/// Gathers what the one connection that writes appends to the write-ahead log, and hands it to the system in few pieces.
///
/// SQLite appends a page as a frame, by two system calls: a header of 24 bytes, and the page. So a batch of 64 commits takes
/// some 400 calls, and as no page lies in the log as it lies in the kernel's cache, these touch 600 of the kernel's pages.
/// Gathered, it is two or three calls and 200 pages, which spares 5 of 35 µs a commit.
///
/// Nobody else looks for a frame before the log's index tells of it. With `synchronous=FULL` SQLite tells of a commit only
/// once it has synced the log: what was gathered has been written by then, or the commit fails as if its sync had. On a
/// connection with another setting others would look for what isn't there.
struct LogGathering {
    /// How many bytes are gathered at most. SQLite's own file takes no more than 131,071 at once, as it writes no more.
    static let capacity = 131_071

    private typealias File = UnsafeMutablePointer<sqlite3_file>?

    /// What SQLite calls. It comes first: SQLite keeps its address, which thereby is the address of all of this.
    private let methods: sqlite3_io_methods
    /// What the file itself does.
    private let inner: UnsafePointer<sqlite3_io_methods>
    private let bytes = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 4096)
    private var count = 0
    /// Where in the log the bytes belong.
    private var offset: Int64 = 0

    /// Begins to gather for as long as the log is open, on a connection that has `synchronous=FULL` and has read from a file
    /// in WAL mode. On any other it has no effect.
    static func begin(on writer: Database) throws {
        guard try Int.fetchOne(writer, sql: "PRAGMA synchronous") == 2 else { return }
        guard try String.fetchOne(writer, sql: "PRAGMA journal_mode") == "wal" else { return }
        var log: File = nil
        let code = sqlite3_file_control(writer.sqliteConnection, nil, SQLITE_FCNTL_JOURNAL_POINTER, &log)
        guard code == SQLITE_OK, let log, let inner = log.pointee.pMethods else { return }
        let gathering = UnsafeMutablePointer<LogGathering>.allocate(capacity: 1)
        gathering.initialize(to: LogGathering(over: inner))
        log.pointee.pMethods = UnsafeRawPointer(gathering).assumingMemoryBound(to: sqlite3_io_methods.self)
    }

    private init(over inner: UnsafePointer<sqlite3_io_methods>) {
        self.inner = inner
        methods = sqlite3_io_methods(
            iVersion: 1,
            xClose: { file in LogGathering.close(file) },
            xRead: { file, bytes, count, offset in
                LogGathering.afterFlush(file) { $0.xRead(file, bytes, count, offset) }
            },
            xWrite: { file, bytes, count, offset in LogGathering.write(file, bytes, count, offset) },
            xTruncate: { file, size in LogGathering.afterFlush(file) { $0.xTruncate(file, size) } },
            xSync: { file, flags in LogGathering.afterFlush(file) { $0.xSync(file, flags) } },
            xFileSize: { file, size in LogGathering.afterFlush(file) { $0.xFileSize(file, size) } },
            xLock: { file, level in LogGathering.inner(of: file).xLock(file, level) },
            xUnlock: { file, level in LogGathering.inner(of: file).xUnlock(file, level) },
            xCheckReservedLock: { file, isHeld in LogGathering.inner(of: file).xCheckReservedLock(file, isHeld) },
            xFileControl: { file, verb, argument in LogGathering.inner(of: file).xFileControl(file, verb, argument) },
            xSectorSize: { file in LogGathering.inner(of: file).xSectorSize(file) },
            xDeviceCharacteristics: { file in LogGathering.inner(of: file).xDeviceCharacteristics(file) },
            xShmMap: nil, xShmLock: nil, xShmBarrier: nil, xShmUnmap: nil, xFetch: nil, xUnfetch: nil)
    }

    private static func gathering(of file: File) -> UnsafeMutablePointer<LogGathering> {
        guard let methods = file?.pointee.pMethods else { preconditionFailure("SQLite calls what was opened") }
        return UnsafeMutableRawPointer(mutating: methods).assumingMemoryBound(to: LogGathering.self)
    }

    private static func inner(of file: File) -> sqlite3_io_methods { gathering(of: file).pointee.inner.pointee }

    private static func write(
        _ file: File, _ bytes: UnsafeRawPointer?, _ count: Int32, _ offset: Int64
    ) -> Int32 {
        let gathering = gathering(of: file)
        let follows = offset == gathering.pointee.offset + Int64(gathering.pointee.count)
        if !follows || gathering.pointee.count + Int(count) > capacity {
            let code = flush(file)
            guard code == SQLITE_OK else { return code }
            gathering.pointee.offset = offset
        }
        guard let bytes, count <= capacity else { return inner(of: file).xWrite(file, bytes, count, offset) }
        gathering.pointee.bytes.advanced(by: gathering.pointee.count).copyMemory(from: bytes, byteCount: Int(count))
        gathering.pointee.count += Int(count)
        return SQLITE_OK
    }

    /// Writes what was gathered. What can't be written is forgotten, as the commit that it belongs to fails.
    private static func flush(_ file: File) -> Int32 {
        let gathering = gathering(of: file)
        let count = gathering.pointee.count
        guard count > 0 else { return SQLITE_OK }
        gathering.pointee.count = 0
        return inner(of: file).xWrite(file, gathering.pointee.bytes, Int32(count), gathering.pointee.offset)
    }

    private static func afterFlush(_ file: File, _ body: (sqlite3_io_methods) -> Int32) -> Int32 {
        let code = flush(file)
        return code == SQLITE_OK ? body(inner(of: file)) : code
    }

    private static func close(_ file: File) -> Int32 {
        let gathering = gathering(of: file)
        let flushed = flush(file)
        file?.pointee.pMethods = gathering.pointee.inner
        let closed = gathering.pointee.inner.pointee.xClose(file)
        gathering.pointee.bytes.deallocate()
        gathering.deinitialize(count: 1)
        gathering.deallocate()
        return flushed == SQLITE_OK ? closed : flushed
    }
}
