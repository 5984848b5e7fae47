import Foundation

/// Where the program under test and the repository lie.
enum BuiltProgram {
    /// The checkout that these tests were compiled from, without a slash at its end.
    static let repository: String = {
        var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        parts.removeLast(4)
        return parts.joined(separator: "/")
    }()

    /// The program `tollgate`, which is built into the folder of the test bundle whatever the scratch path and
    /// configuration of the build are.
    static func path() throws -> String {
        let programs =
            [try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")]
            .compactMap(\.self) + [Bundle.main.executablePath, CommandLine.arguments.first].compactMap(\.self)
        let folders = programs.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path }
        let candidates = (folders + ["\(repository)/.build/debug"]).map { "\($0)/tollgate" }
        guard let path = candidates.first(where: FileManager.default.isExecutableFile(atPath:)) else {
            throw NotBuilt(candidates: candidates)
        }
        return path
    }

    /// There is no program at any of these paths.
    struct NotBuilt: Error {
        let candidates: [String]
    }
}

/// How long a test waits for what must happen at once before it fails: an end to hanging, no measure of speed.
enum Patience {
    static let seconds: Int32 = 60
}
