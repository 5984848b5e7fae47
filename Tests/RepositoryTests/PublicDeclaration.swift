/// A declaration that other targets see: `public`, `open` or `package`.
struct PublicDeclaration {
    /// From 1.
    let line: Int
    let text: String
    /// Whether a documentation comment stands above it, with at most attributes and conditions between them.
    let isDocumented: Bool

    /// The declarations of a file, except imports.
    static func all(in text: String) -> [PublicDeclaration] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.indices.compactMap { index in
            guard isDeclaration(lines[index]) else { return nil }
            let above = lines[..<index].reversed().lazy.map { $0.drop { $0 == " " } }
                .first { !$0.hasPrefix("@") && !$0.hasPrefix("#") }
            return PublicDeclaration(
                line: index + 1, text: lines[index].trimmingPrefix { $0 == " " }.description,
                isDocumented: above?.hasPrefix("///") == true)
        }
    }

    /// Whether a line begins a declaration with one of the three words among its modifiers.
    private static func isDeclaration(_ line: Substring) -> Bool {
        guard scopes.contains(where: { line.contains($0) }) else { return false }
        let words = line.split { $0 == " " || $0 == "(" }.filter { !$0.hasPrefix("@") && !$0.hasSuffix(")") }
        let modifiers = words.prefix { modifierWords.contains($0) }
        guard modifiers.contains(where: { scopes.contains($0) }) else { return false }
        return modifiers.count < words.count && declarationWords.contains(words[modifiers.count])
    }

    private static let scopes: [Substring] = ["public", "open", "package"]
    private static let modifierWords: Set<Substring> = [
        "public", "open", "package", "private", "internal", "fileprivate", "final", "static", "class", "override",
        "mutating", "nonmutating", "consuming", "borrowing", "nonisolated", "indirect", "convenience", "required",
        "lazy", "weak", "unowned", "prefix", "postfix", "infix", "dynamic", "isolated", "distributed",
    ]

    private static let declarationWords: Set<Substring> = [
        "actor", "associatedtype", "enum", "extension", "func", "init", "init?", "let", "macro", "protocol", "struct",
        "subscript", "typealias", "var",
    ]
}
