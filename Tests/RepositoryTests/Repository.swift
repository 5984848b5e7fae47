import Foundation
import TestSupport

/// The checkout that these tests were compiled from.
enum Repository {
    /// Its folder.
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../..").standardizedFileURL

    /// A file of source, with its path from the repository's folder.
    struct Source: CustomStringConvertible, Sendable {
        let path: String
        let text: String

        var description: String { path }
        /// `Sources` or `Tests`, then the target's folder.
        var place: [Substring] { path.split(separator: "/") }
        /// The lines with their numbers from 1.
        var lines: [(number: Int, text: Substring)] {
            text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
                .map { (number: $0.offset + 1, text: $0.element) }
        }
    }

    /// The files below a folder whose names end so.
    static func sources(below name: String, ending: String = ".swift") throws -> [Source] {
        let start = folder.appendingPathComponent(name)
        return try FileManager.default.subpathsOfDirectory(atPath: start.path).filter { $0.hasSuffix(ending) }.sorted()
            .map { path in
                Source(
                    path: "\(name)/\(path)",
                    text: try String(contentsOf: start.appendingPathComponent(path), encoding: .utf8))
            }
    }

    /// The text of a file.
    static func text(_ path: String) throws -> String {
        try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
    }

    /// The names of the folders in `Sources`: one a target.
    static func targets() throws -> [String] { try folders(in: "Sources") }

    /// The names of the folders in one, without hidden ones.
    static func folders(in name: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent(name).path)
            .filter { !$0.hasPrefix(".") }.sorted()
    }

    /// The paths of all tracked files; nil outside a Git checkout.
    static let trackedFiles: [String]? = {
        let paths = git("ls-files", "-z")?.split(separator: "\0").map(String.init) ?? []
        return paths.isEmpty ? nil : paths
    }()

    /// What a git command prints on standard output; nil if it fails, or if there is no git.
    static func git(_ arguments: String...) -> String? {
        let command = try? FinishedCommand("/usr/bin/env", ["git", "-C", folder.path] + arguments)
        return command.flatMap { $0.status == 0 ? $0.text : nil }
    }
}
