import Foundation
import Testing

/// Holds the imports of `Sources` to the table of targets.
struct TargetTests {
    /// The modules that a line imports, whatever stands before `import` and whatever of a module is imported.
    static func modules(in line: Substring) -> [String] {
        // Most lines begin with none of these letters, and a regular expression costs far more.
        guard let first = line.utf8.first(where: { $0 != UInt8(ascii: " ") }), "@fip".utf8.contains(first) else {
            return []
        }
        let declaration =
            /^\s*(?:@\S+\s+)*(?:(?:public|package|internal|private|fileprivate)\s+)?import\s+(?:(?:struct|class|enum|protocol|typealias|func|let|var)\s+)?(\w+)/
        return line.split(separator: ";").compactMap { $0.firstMatch(of: declaration).map { String($0.1) } }
    }

    @Test func `the table has a row for each target and for nothing else`() throws {
        #expect(try TargetTable.rows.map(\.target).sorted() == Repository.targets())
    }

    @Test func `a row only names targets of rows above it`() {
        var above: Set<String> = []
        for row in TargetTable.rows {
            #expect(row.imports.isSubset(of: above), "\(row.target)")
            above.insert(row.target)
        }
    }

    @Test(arguments: TargetTable.rows)
    func `a target imports what its row names, and nothing else`(row: TargetTable.Row) throws {
        let targets = Set(TargetTable.rows.map(\.target))
        var imported: Set<String> = []
        for source in try Repository.sources(below: "Sources/\(row.target)") {
            for line in source.lines {
                for module in Self.modules(in: line.text) where targets.contains(module) {
                    #expect(row.imports.contains(module), "\(source):\(line.number) imports \(module)")
                    imported.insert(module)
                }
            }
        }
        #expect(row.imports.subtracting(imported).isEmpty, "\(row.target)")
    }

    @Test func `the page on architecture has the same table`() throws {
        let rows = TargetTable.rows.map { row in
            let imports = row.imports.sorted().map { "`\($0)`" }.joined(separator: ", ")
            return "| `\(row.target)` | \(imports.isEmpty ? "-" : imports) |"
        }
        let page = try Repository.text("Sources/tollgate/Tollgate.docc/Architecture.md")
        let table = rows.joined(separator: "\n")
        #expect(page.contains("|---|---|\n\(table)\n\n"), "the table must be:\n\(table)")
    }

    @Test(arguments: [
        ("import JSON", ["JSON"]), ("public import JSON", ["JSON"]), ("@testable import JSON", ["JSON"]),
        ("@preconcurrency internal import JSON  // why", ["JSON"]), ("import struct JSON.JSONNode", ["JSON"]),
        ("import JSON; import XML", ["JSON", "XML"]), ("// import JSON", []), ("let important = JSON()", []),
        ("    import JSON", ["JSON"]),
    ])
    func `an import is recognised in every spelling`(line: String, modules: [String]) {
        #expect(Self.modules(in: line[...]) == modules)
    }
}
