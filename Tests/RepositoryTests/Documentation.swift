import Foundation

/// The README and the pages of documentation.
enum Documentation {
    /// The README's path.
    static let readme = "README.md"
    /// The folder of the pages, which SwiftPM takes for a documentation catalogue.
    static let folder = "Sources/tollgate/Tollgate.docc"

    /// All of them, the README first.
    static func pages() throws -> [Page] {
        let pages = try Repository.sources(below: folder, ending: ".md")
        return try [Page(path: readme, text: Repository.text(readme))]
            + pages.map { Page(path: $0.path, text: $0.text) }
    }

    /// One file of Markdown, in the plain form that these files have: fences of three backticks, tables whose lines begin with
    /// `|`, headings that begin with `#`.
    struct Page: CustomStringConvertible, Sendable {
        /// From the repository's folder.
        let path: String
        let text: String

        var description: String { path }

        /// The lines outside blocks of code.
        var written: [Substring] { parted().written }

        /// The blocks of code without a language, which are commands and what they print. A line that ends with a backslash is
        /// one with the next.
        var commands: [String] { blocks(in: "").map { $0.replacing("\\\n", with: "") } }

        /// The blocks of code in a language.
        func blocks(in language: String) -> [String] {
            parted().blocks.filter { $0.language == language }.map { $0.text }
        }

        private func parted() -> (written: [Substring], blocks: [(language: String, text: String)]) {
            var written: [Substring] = []
            var blocks: [(language: String, text: String)] = []
            var isCode = false
            for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
                if line.hasPrefix("```") {
                    isCode.toggle()
                    if isCode { blocks.append((String(line.dropFirst(3)), "")) }
                } else if isCode {
                    blocks[blocks.count - 1].text += "\(line)\n"
                } else {
                    written.append(line)
                }
            }
            return (written, blocks)
        }

        /// What stands between backticks in a line.
        var spans: [String] {
            written.flatMap { line in line.matches(of: /`([^`]+)`/).map { String($0.1) } }
        }

        /// The sentences outside code, tables and headings. Between backticks is one word, and of a link its text counts.
        var sentences: [String] {
            var blocks = [""]
            for line in written {
                let isApart = line.hasPrefix("#") || line.hasPrefix("|") || line.allSatisfy(\.isWhitespace)
                if isApart || line.contains(/^\s*([-*]|\d+\.)\s/) { blocks.append("") }
                if !isApart { blocks[blocks.count - 1] += "\(line) " }
            }
            return blocks.flatMap { block in
                block.replacing(/`[^`]+`/, with: "code")
                    .replacing(/\[([^\]]*)\]\([^)]*\)/) { String($0.output.1) }
                    .split(separator: /[.!?](?=[\s)*]|$)/).map(String.init)
            }
        }

        /// The places that links lead to: a path, a fragment behind `#`, or both.
        var links: [String] {
            written.flatMap { line in
                line.replacing(/`[^`]+`/, with: "").matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }
            }
        }

        /// The fragments by which links reach the headings: small letters, hyphens for spaces, no other signs.
        var anchors: Set<String> {
            Set(
                written.filter { $0.hasPrefix("#") }.map { line in
                    line.drop { $0 == "#" }.drop { $0 == " " }.lowercased().replacing(" ", with: "-")
                        .filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
                })
        }
    }
}
