import Foundation
import Testing

/// The rules that all source keeps.
struct SourceRulesTests {
    private static func all() throws -> [Repository.Source] {
        try Repository.sources(below: "Sources") + Repository.sources(below: "Tests")
    }

    @Test func `there is source to hold to the rules`() throws {
        let paths = try Self.all().map(\.path)
        #expect(paths.contains("Sources/tollgate/Commands/Tollgate.swift"))
        #expect(paths.contains("Tests/RepositoryTests/SourceRulesTests.swift"))
    }

    @Test func `no file has more than 400 lines`() throws {
        for source in try Self.all() {
            let count = source.text.split(separator: "\n", omittingEmptySubsequences: false).count - 1
            #expect(count <= 400, "\(source): \(count) lines")
        }
    }

    /// A table that the compiler keeps complete may be longer, as long as each of its cases is short.
    @Test func `no body has more than 60 lines of code`() throws {
        for source in try Repository.sources(below: "Sources") {
            for block in SwiftBlock.all(in: source.text) where block.lines.count > 60 {
                let isShortTable = block.isTable && block.longestCaseLines <= 15
                #expect(isShortTable, "\(source):\(block.line): \(block.lines.count) lines")
            }
        }
    }

    @Test func `what other targets see is documented`() throws {
        var count = 0
        for source in try Repository.sources(below: "Sources") {
            for declaration in PublicDeclaration.all(in: source.text) {
                count += 1
                #expect(declaration.isDocumented, "\(source):\(declaration.line): \(declaration.text)")
            }
        }
        #expect(count > 1000)
    }

    @Test func `only programs print`() throws {
        for source in try Repository.sources(below: "Sources") where !source.place[1].hasPrefix("tollgate") {
            for line in source.lines {
                #expect(
                    line.text.firstMatch(of: /(^|[^\w.])(print|debugPrint|dump|NSLog)\(/) == nil,
                    "\(source):\(line.number): \(line.text)")
            }
        }
    }

    /// It reads beyond its list of descriptors in a process that has more than about 1,350 of them, as a run of all tests
    /// has. `FinishedCommand` and `SpawnedCommand` start programs instead.
    @Test func `nothing starts a program by Foundation's Process`() throws {
        for source in try Self.all() {
            for line in source.lines {
                #expect(line.text.firstMatch(of: /\bProcess\(\)/) == nil, "\(source):\(line.number): \(line.text)")
            }
        }
    }

    @Test func `nothing is left for later`() throws {
        let words =
            /\b(TODO|FIXME|XXX|HACK)\b|\b(hack|hacky|not implemented|unimplemented)\b|\b(?!waited\b)\w+ for now\b/
        for source in try Repository.sources(below: "Sources") + Repository.sources(below: "Sources", ending: ".h") {
            for line in source.lines {
                #expect(line.text.firstMatch(of: words) == nil, "\(source):\(line.number): \(line.text)")
            }
        }
    }

    @Test func `no type is named for nothing`() throws {
        let names =
            /\b(struct|class|enum|actor|protocol|typealias)\s+\w*(Manager|Helper|Util|Utils|Utility|Impl|Core|Common|Misc)\b/
        for source in try Self.all() {
            for line in source.lines {
                #expect(line.text.firstMatch(of: names) == nil, "\(source):\(line.number): \(line.text)")
            }
        }
    }

    @Test func `no error is forced away`() throws {
        for source in try Repository.sources(below: "Sources") {
            for line in source.lines {
                #expect(line.text.firstMatch(of: /\btry!|\bas!/) == nil, "\(source):\(line.number): \(line.text)")
            }
        }
    }

    @Test func `what is unchecked says why`() throws {
        for source in try Repository.sources(below: "Sources") {
            let lines = source.lines
            for (index, line) in lines.enumerated() where line.text.contains("@unchecked Sendable") {
                guard !line.text.contains("///") else { continue }
                let above = lines[..<index].reversed().prefix { $0.text.drop { $0 == " " }.hasPrefix("//") }
                #expect(
                    above.contains { $0.text.contains("@unchecked Sendable") }, "\(source):\(line.number): \(line.text)"
                )
            }
        }
    }
    @Test(arguments: ["Sources", "Tests"])
    func `a folder has at most 25 files of Swift`(top: String) throws {
        let folders = Dictionary(grouping: try Repository.sources(below: top)) {
            $0.place.dropLast().joined(separator: "/")
        }
        #expect(folders.count > 20)
        for (folder, files) in folders { #expect(files.count <= 25, "\(folder): group its files in folders") }
    }
}
