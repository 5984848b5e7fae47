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
            for span in page.spans {
                let path = String(span.prefix { !$0.isWhitespace })
                // `Tests/<Target>Tests` and the like stand for several.
                guard path.contains(/^(Sources|Tests|Config|Deploy)\//), !path.contains(/[<…*]/) else { continue }
                #expect(Self.exists(path), "\(page): \(path)")
            }
        }
    }

    @Test func `a command, an option or a variable that is named is known`() throws {
        let names = try ProgramNames()
        let options = ["--store-url-file", "--tls-client-ca", "--list-defects", "--version", "--soak", "--deep"]
        #expect(names.options.isSuperset(of: options))
        #expect(names.commands.isSuperset(of: ["serve", "mint", "crash"]) && names.groups.contains("token"))
        for page in try Documentation.pages() {
            for match in page.text.matches(of: /TOLLGATE_[A-Z_]*[A-Z]/) {
                #expect(names.variables.contains(String(match.0)), "\(page): \(match.0)")
            }
            for span in page.spans where span.hasPrefix("--") { Self.expectOptions(of: span, names, page) }
            for code in page.spans + page.commands {
                // What follows the program's name as far as a pipe or the end of a substitution.
                let call = /\b(tollgate|tollgate-bench)[ \t]+(?!tollgate\b)([a-z][a-z-]*)([^|)\n]*)/
                for match in code.matches(of: call) {
                    let (command, arguments) = (String(match.2), String(match.3))
                    #expect(names.commands.contains(command), "\(page): \(match.0)")
                    if match.1 == "tollgate", names.groups.contains(command) {
                        let next = arguments.split(whereSeparator: \.isWhitespace).first ?? ""
                        #expect(names.commands.contains(String(next)), "\(page): \(match.0)")
                    }
                    Self.expectOptions(of: arguments, names, page)
                }
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

    private static func expectOptions(of text: String, _ names: ProgramNames, _ page: Documentation.Page) {
        for match in text.matches(of: /(?:^|[\s=])(--[a-z][a-z-]*)/) {
            #expect(names.options.contains(String(match.1)), "\(page): \(match.1)")
        }
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
