import Foundation
import Testing

@testable import tollgate

/// The documentation of settings says what the program has.
struct SettingsTableTests {
    @Test func `tollgate.yaml lists each setting`() throws {
        let header = ["key", "option", "environment", "value", "default"]
        let rows = [header] + SettingsTable.rows.map { [$0.key, $0.option, $0.variable, $0.expected, $0.defaultText] }
        let widths = header.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        let expected = rows.map { row in
            let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            return "# " + cells.dropLast().joined(separator: "  ") + "  " + row[row.count - 1]
        }
        let lines = try String(
            contentsOfFile: BuiltProgram.repository + "/Config/tollgate.yaml", encoding: .utf8
        ).split(separator: "\n").map(String.init)
        let first = try #require(lines.firstIndex { $0.hasPrefix("# key ") })
        #expect(
            Array(lines[first...].prefix(rows.count)) == expected,
            "the table is:\n\(expected.joined(separator: "\n"))")
        #expect(lines[first + rows.count] == "#")
    }

    @Test func `the page on configuration lists each setting`() throws {
        let head = ["| Key | Option | Environment | Value | Default | Meaning |", "|---|---|---|---|---|---|"]
        let expected =
            head
            + SettingsTable.rows.map { row in
                "| `\(row.key)` | `\(row.option)` | `\(row.variable)` | \(row.expected) | \(row.defaultText) | \(row.help) |"
            }
        let path = BuiltProgram.repository + "/Sources/tollgate/Tollgate.docc/Configuration.md"
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
        let first = try #require(lines.firstIndex(of: head[0]))
        #expect(
            Array(lines[first...].prefix { $0.hasPrefix("|") }) == expected,
            "the table is:\n\(expected.joined(separator: "\n"))")
    }

    @Test func `each setting has a key, an option and a variable of its own`() {
        let rows = SettingsTable.rows
        for names in [rows.map(\.key), rows.map(\.option), rows.map(\.variable)] {
            #expect(Set(names).count == names.count)
        }
        #expect(rows.first { $0.key == "storeURLFile" }?.option == "--store-url-file")
        #expect(rows.first { $0.key == "tlsClientCA" }?.variable == "TOLLGATE_TLS_CLIENT_CA")
    }
}
