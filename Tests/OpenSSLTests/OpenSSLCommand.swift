import Foundation
import TestSupport

/// The command `openssl` in a folder of one test's own, for files as other people make them.
struct OpenSSLCommand: ~Copyable {
    /// Whether the command is there.
    static let isInstalled = FileManager.default.isExecutableFile(atPath: path)
    private static let path = "/usr/bin/openssl"

    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("openssl-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The command ended with another status than 0.
    struct Failure: Error {
        let arguments: String
        let errors: String
    }

    /// Runs the command; words are separated by spaces, and files lie in the folder.
    func run(_ arguments: String) throws {
        let command = try FinishedCommand(
            Self.path, arguments.split(separator: " ").map(String.init), in: folder.path)
        guard command.status == 0 else { throw Failure(arguments: arguments, errors: command.errorText) }
    }

    /// The bytes of a file.
    func read(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: folder.appendingPathComponent(name))) }

    /// Writes a file.
    func write(_ name: String, _ bytes: [UInt8]) throws {
        try Data(bytes).write(to: folder.appendingPathComponent(name))
    }
}
