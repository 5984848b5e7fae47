import Foundation
import Testing

/// What the README and the pages of documentation say can be relied on, and read.
struct DocumentationTests {
    @Test func `the README has at most 200 lines`() throws {
        let lines = try Repository.text(Documentation.readme).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count - 1 <= 200)
    }

    @Test func `the README and the landing page lead to every page`() throws {
        let pages = try Documentation.pages()
        #expect(pages.count > 10)
        let landing = "\(Documentation.folder)/Tollgate.md"
        for start in pages where [Documentation.readme, landing].contains(start.path) {
            let reached = Set(start.links.map { Self.file($0, from: start) })
            for page in pages where ![start.path, landing].contains(page.path) {
                #expect(reached.contains(page.path), "\(start) has no link to \(page)")
            }
        }
    }

    @Test func `a sentence has at most 40 words`() throws {
        for page in try Documentation.pages() {
            for sentence in page.sentences {
                let words = sentence.split(whereSeparator: \.isWhitespace).filter { word in
                    word.contains { $0.isLetter || $0.isNumber }
                }
                #expect(words.count <= 40, "\(page): \(words.count) words: \(sentence)")
            }
        }
    }

    @Test func `a link leads to a file of the repository, and to a heading in it`() throws {
        for page in try Documentation.pages() {
            for link in page.links where !link.contains("://") {
                let path = Self.file(link, from: page)
                #expect(Self.exists(path), "\(page): \(link)")
                guard let sign = link.firstIndex(of: "#"), Self.exists(path) else { continue }
                let target = Documentation.Page(path: path, text: try Repository.text(path))
                #expect(target.anchors.contains(String(link[sign...].dropFirst())), "\(page): \(link)")
            }
        }
    }

    @Test func `a path that is named is there`() throws {
        for page in try Documentation.pages() {
            for code in page.spans + page.commands {
                for match in code.matches(of: /(?:^|[\s"'=])((?:Sources|Tests|Config|Deploy)\/[^\s"']*)/) {
                    // `Tests/<Target>Tests` and the like stand for several, and the commands make the folders of secrets.
                    let path = String(match.1)
                    guard !path.contains(/[<…*]|\/secrets\b/) else { continue }
                    #expect(Self.exists(path), "\(page): \(path)")
                }
            }
        }
    }

    @Test func `the sources declare commands, each with its options`() throws {
        let names = try ProgramNames()
        let tollgate = try #require(names.programs["tollgate"])
        let bench = try #require(names.programs["tollgate-bench"])
        #expect(tollgate.groups == ["token", "merchant", "certificate", "key", "config"])
        #expect(tollgate.commands["serve"]?.isSuperset(of: ["--new", "--port", "--store-url-file"]) == true)
        #expect(tollgate.commands["token mint"]?.isSuperset(of: ["--amount", "--version", "--list-defects"]) == true)
        #expect(tollgate.commands["key create"] == ["--help"])
        #expect(tollgate.commands["merchant disable"] == ["--config", "--data", "--help"])
        #expect(tollgate.options(ofCall: ["key", "mint"]) == nil && tollgate.options(ofCall: ["crash"]) == nil)
        #expect(bench.commands["crash"]?.contains("--kills") == true && bench.groups.isEmpty)
        #expect(names.options.isSuperset(of: ["--soak", "--deep", "--tls-client-ca"]))
    }

    @Test func `a command that is named is one of the program, and has the options that are named with it`() throws {
        let names = try ProgramNames()
        let tollgate = try #require(names.programs["tollgate"])
        var count = 0
        for page in try Documentation.pages() {
            for text in page.spans + page.commands {
                // Containers have the program's name, too.
                let code = text.replacing("docker exec tollgate ", with: "")
                // What follows the program's name as far as a pipe or the end of a substitution.
                for match in code.matches(of: /\b(tollgate|tollgate-bench)[ \t]+(?!tollgate\b)([a-z][^|)&;\n]*)/) {
                    Self.expectCall(String(match.2), of: names.programs[String(match.1)], page)
                    count += 1
                }
                // The script hands its arguments on to `tollgate serve`.
                for match in code.matches(of: /\bDeploy\/run\b([^|)&;\n]*)/) {
                    Self.expectCall("serve\(match.1)", of: tollgate, page)
                }
            }
            // `token inspect`, without the program's name.
            for span in page.spans where tollgate.groups.contains(String(span.prefix { $0 != " " })) {
                Self.expectCall(span, of: tollgate, page)
                count += 1
            }
        }
        #expect(count > 50)
    }

    @Test func `an option or a variable that is named is known`() throws {
        let names = try ProgramNames()
        for page in try Documentation.pages() {
            for span in page.spans where span.hasPrefix("--") {
                for option in Self.options(in: span) { #expect(names.options.contains(option), "\(page): \(option)") }
            }
            for match in page.text.matches(of: /TOLLGATE_[A-Z_]*[A-Z]/) {
                #expect(names.variables.contains(String(match.0)), "\(page): \(match.0)")
            }
        }
    }

    @Test func `a name in camel case is one of the sources`() throws {
        let names = try ProgramNames()
        for page in try Documentation.pages() {
            for span in page.spans where span.wholeMatch(of: /[a-z]+[A-Z][A-Za-z0-9]*/) != nil {
                #expect(names.words.contains(span), "\(page): \(span)")
            }
        }
    }

    @Test func `a key of a merchant's file is one that the program reads`() throws {
        let sources = try Repository.sources(below: "Sources/tollgate")
        let literals = Set(sources.flatMap { $0.text.split(separator: "\"") })
        let keys = try Documentation.pages().flatMap { page in
            page.blocks(in: "yaml").flatMap { block in
                block.matches(of: /^[ #-]*(\w+):/.anchorsMatchLineEndings()).map { $0.1.description }
            }
        }
        #expect(Set(keys).count > 25)
        for key in Set(keys) { #expect(literals.contains(key[...]), "\(key)") }
    }

    /// Expects that words are a command of a program with options of that command.
    private static func expectCall(_ text: String, of program: CommandTree?, _ page: Documentation.Page) {
        let known = program?.options(ofCall: text.split(whereSeparator: \.isWhitespace).map(String.init))
        #expect(known != nil, "\(page): no such command: \(text)")
        for option in options(in: text) where known?.contains(option) == false {
            Issue.record("\(page): no such option of the command: \(option) in \(text)")
        }
    }

    /// `--port` of `--port 0` and of `--port=0`; of `--gateway-option=--access-log=off` both options.
    private static func options(in text: String) -> [String] {
        text.matches(of: /(?:^|[\s=])(--[a-z][a-z-]*)/).map { String($0.1) }
    }

    /// The path of the file that a link leads to, from the repository's folder.
    private static func file(_ link: String, from page: Documentation.Page) -> String {
        let path = link.prefix { $0 != "#" }
        guard !path.isEmpty else { return page.path }
        let root = Repository.folder.path + "/"
        let target = Repository.folder.appendingPathComponent(page.path).deletingLastPathComponent()
            .appendingPathComponent(String(path)).standardizedFileURL.path
        return target.hasPrefix(root) ? String(target.dropFirst(root.count)) : target
    }

    private static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: Repository.folder.appendingPathComponent(path).path)
    }
}
