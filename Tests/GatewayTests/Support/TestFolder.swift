import Foundation
import Glibc
import Testing

/// A folder of one test's own, with a data directory, a configuration and whatever else the test writes into it.
final class TestFolder {
    /// The folder's path, without a slash at its end.
    let path: String

    init() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tollgate-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        path = folder.path
    }

    /// The data directory of the gateways that run in this folder.
    var data: String { path + "/data" }
    /// What they wrote to standard error, one after the other.
    var errors: String { path + "/errors" }

    /// Writes a file below the folder, and the folders that lead to it.
    ///
    /// - Returns: its path.
    @discardableResult
    func write(_ name: String, _ content: some Sequence<UInt8>) throws -> String {
        let file = URL(fileURLWithPath: "\(path)/\(name)")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(content).write(to: file)
        return file.path
    }

    /// Writes a file that only its owner may use, or with another mode.
    ///
    /// - Returns: its path.
    @discardableResult
    func writeSecret(_ name: String, _ content: some Sequence<UInt8>, mode: Int = 0o600) throws -> String {
        let file = try write(name, content)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
        return file
    }

    /// Removes a file below the folder.
    func delete(_ name: String) throws { try FileManager.default.removeItem(atPath: "\(path)/\(name)") }

    /// The bytes of a file below the folder.
    func read(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)"))) }

    /// The text of a file below the folder.
    func text(_ name: String) throws -> String { String(decoding: try read(name), as: UTF8.self) }

    /// The paths of all files below a folder, sorted.
    static func files(below folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder).map { "\(folder)/\($0)" }.filter { path in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
        }.sorted()
    }

    /// The nine low bits of a file's or folder's mode.
    func mode(_ name: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")
        return (attributes[.posixPermissions] as? Int ?? -1) & 0o777
    }

    /// Removes the folder and all in it.
    func remove() { try? FileManager.default.removeItem(atPath: path) }
}

extension TestFolder {
    /// Makes a pipe with a name, that nobody writes to.
    func makePipe(_ name: String) throws {
        guard mkfifo("\(path)/\(name)", 0o600) == 0 else { throw ChildProcess.Failure.system("mkfifo", errno) }
    }
}

extension TestFolder {
    /// Makes keys in a folder of their own, and starts and stops a gateway with them.
    ///
    /// - Returns: the path of that folder.
    func useWithKeysFolder() throws -> String {
        let keys = path + "/keys"
        #expect(try run("key", "create", keys).status == 0)
        let password = try text("keys/sandbox/password").filter { !$0.isNewline }
        let gateway = try RunningGateway(in: self, "--keys-folder", keys, credentials: .init(password: password))
        #expect(try gateway.stop() == .exited(0))
        return keys
    }
}
