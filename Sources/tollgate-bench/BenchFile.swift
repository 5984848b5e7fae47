import Foundation
import Glibc

/// Files and folders of a measurement.
enum BenchFile {
    /// Reads a whole file.
    static func read(_ path: String) throws -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw BenchFailure(systemCall: path) }
        defer { close(descriptor) }
        return try readAll(descriptor)
    }

    /// Reads a descriptor to its end.
    static func readAll(_ descriptor: Int32) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw BenchFailure(systemCall: "read") }
            guard count > 0 else { return bytes }
            bytes += chunk[..<count]
        }
    }

    /// Writes a file that only its owner may read.
    static func write(_ path: String, _ bytes: UnsafeRawBufferPointer) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw BenchFailure(systemCall: path) }
        defer { close(descriptor) }
        guard Glibc.write(descriptor, bytes.baseAddress, bytes.count) == bytes.count else {
            throw BenchFailure(systemCall: path)
        }
    }

    /// The free space of a disk that this process's user may use, in bytes.
    static func freeBytes(at path: String) throws -> Int {
        var system = statvfs()
        guard statvfs(path, &system) == 0 else { throw BenchFailure(systemCall: path) }
        return Int(system.f_bavail) * Int(system.f_frsize)
    }

    /// The size of a file, in bytes.
    static func byteCount(of path: String) throws -> Int {
        var status = stat()
        guard stat(path, &status) == 0 else { throw BenchFailure(systemCall: path) }
        return Int(status.st_size)
    }

    /// Creates an empty folder under `TMPDIR`, or else under /tmp.
    static func makeTemporaryFolder() throws -> String {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/tollgate-bench.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw BenchFailure(systemCall: parent) }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The names in a folder; empty if there is no such folder.
    static func names(in path: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    }

    /// Removes a folder and its contents.
    static func removeFolder(_ path: String) { try? FileManager.default.removeItem(atPath: path) }
}
