/// The text of a merchant's file, edited line by line, so that comments and everything else in it stay as they are.
///
/// The caller parses the result again. So a file that doesn't have one key per line is refused, not damaged.
struct MerchantText {
    private var lines: [Substring]

    init(_ text: String) { lines = text.split(separator: "\n", omittingEmptySubsequences: false) }

    /// The current text.
    var text: String { lines.joined(separator: "\n") }

    /// Sets `enabled`.
    mutating func setEnabled(_ isEnabled: Bool) {
        guard let index = lines.firstIndex(where: { $0.value(of: "enabled") != nil }) else {
            insert(["enabled: \(isEnabled)"])
            return
        }
        let old = lines[index].value(of: "enabled") ?? ""
        let comment = old.firstIndex(of: "#").map { " " + old[$0...] } ?? ""
        lines[index] = "enabled: \(isEnabled)\(comment)"
    }

    /// Adds a password's digest. Removes the oldest passwords before it, so that at most `countMax` remain.
    mutating func addPassword(_ kept: String, countMax: Int) {
        guard let key = lines.firstIndex(where: { $0.value(of: "passwords") != nil }) else {
            insert(["passwords:", "  - digest: \(kept)"])
            return
        }
        let entries = keepPasswords(countMax - 1)
        let indent = entries.last.map { lines[$0.lowerBound].prefix { $0 == " " } } ?? "  "
        lines.insert("\(indent)- digest: \(kept)", at: entries.last?.upperBound ?? key + 1)
    }

    /// Removes the oldest passwords until at most `count` are left.
    ///
    /// - Returns: the line ranges of the remaining entries.
    @discardableResult
    mutating func keepPasswords(_ count: Int) -> [Range<Int>] {
        while case let entries = passwordEntries, entries.count > count, let oldest = entries.first {
            lines.removeSubrange(oldest)
        }
        return passwordEntries
    }

    /// The line ranges of the entries below `passwords`. Each entry starts on its own line with a dash.
    private var passwordEntries: [Range<Int>] {
        guard let key = lines.firstIndex(where: { $0.value(of: "passwords") != nil }) else { return [] }
        var entries: [Range<Int>] = []
        var indent: Int?
        for index in lines.indices.dropFirst(key + 1) {
            let line = lines[index]
            let content = line.drop { $0 == " " }
            // A comment belongs to an entry only if a line of the entry follows it.
            if content.isBlank || content.hasPrefix("#") { continue }
            let depth = line.count - content.count
            if content.hasPrefix("- "), depth == indent ?? depth {
                indent = depth
                entries.append(index..<(index + 1))
            } else if let indent, depth > indent, let last = entries.popLast() {
                entries.append(last.lowerBound..<(index + 1))
            } else {
                break
            }
        }
        return entries
    }

    /// Inserts lines before the first key.
    private mutating func insert(_ new: [Substring]) {
        let first = lines.firstIndex { !$0.isBlank && !$0.hasPrefix("#") && !$0.hasPrefix("---") && !$0.hasPrefix("%") }
        lines.insert(contentsOf: new, at: first ?? lines.lastIndex { $0.isEmpty } ?? lines.endIndex)
    }
}

extension Substring {
    fileprivate var isBlank: Bool { allSatisfy(\.isWhitespace) }

    /// The text after a key and its colon; nil if this is not that key's line.
    fileprivate func value(of key: String) -> Substring? {
        guard hasPrefix(key) else { return nil }
        let rest = dropFirst(key.count).drop { $0 == " " }
        guard rest.first == ":" else { return nil }
        return rest.dropFirst()
    }
}
