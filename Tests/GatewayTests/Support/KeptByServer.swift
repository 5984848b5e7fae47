import Foundation
import TestSupport
import Values

/// What a PostgreSQL server keeps of a gateway, in whatever form.
struct KeptByServer {
    private let server: PostgresServer
    private let schema: String
    let url: String
    private let start: Date

    /// A server of its own, with nothing in it.
    init() throws {
        server = try PostgresServer()
        url = try server.url()
        schema = String(url.split(separator: "%3D").last ?? "")
        start = Date()
    }

    /// Every value of the tables' binary columns, each with a zero byte behind it. In the server's files a long one may be
    /// compressed.
    func values() throws -> [UInt8] {
        try server.dump(schema: schema).split { $0 == "\t" || $0 == "\n" }.filter { $0.hasPrefix(#"\\x"#) }
            .flatMap { (Hexadecimal.decoded(Array($0.utf8.dropFirst(3))) ?? []) + [0] }
    }

    /// What is found in the values, in the dump's text, and in the files that were written since the server is there: of
    /// tables, of the log of writes, and of what it says.
    func findings(_ scanner: SecretScanner) throws -> [String] {
        var found = scanner.findings(in: try values()).map { "values: \($0)" }
        found += scanner.findings(in: Array(try server.dump(schema: schema).utf8)).map { "dump: \($0)" }
        try server.query("CHECKPOINT")
        for path in try TestFolder.files(below: server.directory) {
            // A file may go away while the server runs.
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            guard let written = attributes?[.modificationDate] as? Date, written >= start,
                let content = try? Data(contentsOf: URL(fileURLWithPath: path))
            else { continue }
            found += scanner.findings(in: Array(content)).map { "\(path.dropFirst(server.directory.count + 1)): \($0)" }
        }
        return found
    }

    /// Puts a text where tokens are.
    func plant(_ text: String) throws {
        let hexadecimal = Hexadecimal.encoded(Array(text.utf8))
        try server.query(
            "INSERT INTO tokens VALUES (decode('\(hexadecimal)', 'hex'), '', '', false)", schema: schema)
    }
}
