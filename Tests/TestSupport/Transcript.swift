public import Foundation
internal import JSON

/// Exchanges that were recorded between a client and the real gateway. They lie outside the repository, in the folder
/// `reference/transcripts` beside the one that the environment variable `TOLLGATE_VECTORS` names.
public struct Transcript: Sendable, CustomStringConvertible {
    /// One request with its response.
    public struct Exchange: Sendable {
        /// `GET`, `POST`, …
        public let method: String
        /// The path that was asked for.
        public let path: String
        /// The content that was sent, if it was recorded.
        public let body: String?
        /// The response's status.
        public let status: Int
        /// The response's content, exactly as it came.
        public let responseBody: String
    }

    /// The file's name without its extension.
    public let name: String
    /// What was exchanged, in its order.
    public let exchanges: [Exchange]

    /// The folder of all transcripts, if it is there.
    public static let folder: URL? = AppleVector.folder
        .map { $0.appendingPathComponent("../reference/transcripts", isDirectory: true).standardizedFileURL }
        .flatMap { FileManager.default.fileExists(atPath: $0.path) ? $0 : nil }

    /// Whether the transcripts are at hand; without them their tests are reported as skipped.
    public static let areAvailable = folder != nil

    /// The names of all transcripts in the folder.
    public static func names() throws -> [String] {
        let files = try FileManager.default.contentsOfDirectory(atPath: (folder ?? URL(fileURLWithPath: "/")).path)
        return files.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(".json".count)) }.sorted()
    }

    /// Reads a transcript by its name.
    public init(_ name: String) throws {
        self.name = name
        let file = (Self.folder ?? URL(fileURLWithPath: "/")).appendingPathComponent(name + ".json")
        let document = try JSONDocument(Array(try Data(contentsOf: file)))
        guard let recorded = document.root["exchanges"], recorded.count > 0 else { throw Malformed(name: name) }
        exchanges = try recorded.elements.map { exchange in
            guard let request = exchange["request"], let response = exchange["response"],
                let method = request["method"]?.string, let path = request["path"]?.string,
                let status = response["status"]?.numberText.flatMap({ Int($0) }), let body = response["body"]?.string
            else { throw Malformed(name: name) }
            return Exchange(
                method: method, path: path, body: request["body"]?.string, status: status, responseBody: body)
        }
    }

    /// The file is no transcript.
    public struct Malformed: Error {
        let name: String
    }

    /// The name.
    public var description: String { name }
}
