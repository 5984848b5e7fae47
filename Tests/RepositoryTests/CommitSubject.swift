import Foundation

/// A commit's first line, `Target: what changes`.
struct CommitSubject {
    /// The most characters that `git log --oneline` and the usual viewers show in full.
    static let charactersMax = 72

    let text: String

    /// What is wrong with it; nil if nothing is.
    ///
    /// - Parameter names: the targets, and what lies at the top of the repository.
    func fault(names: Set<String>) -> String? {
        guard text.count <= Self.charactersMax else { return "has \(text.count) characters of \(Self.charactersMax)" }
        guard let match = text.wholeMatch(of: /([^:]+): \S.*/) else {
            return "is not of the form `Target: what changes`"
        }
        let unknown = match.1.split(separator: ", ").filter { !names.contains(String($0)) }
        return unknown.isEmpty ? nil : "names no target: \(unknown.joined(separator: ", "))"
    }

    /// The subjects of the commits since another, newest first, without merges; nil where git or that commit is missing,
    /// as in an archive or a shallow clone.
    static func since(_ commit: String) -> [CommitSubject]? {
        Repository.git("log", "--no-merges", "--format=%s", "\(commit)..HEAD")
            .map { $0.split(separator: "\n").map { CommitSubject(text: String($0)) } }
    }

    /// Every target, its tests, and what lies at the top of the repository, with and without its ending.
    static func names() throws -> Set<String> {
        let targets = TargetTable.rows.map(\.target)
        let tests = try Repository.folders(in: "Tests")
        let top = (Repository.trackedFiles ?? []).compactMap { $0.split(separator: "/").first }
        let stems = top.compactMap { $0.split(separator: ".").first }
        return Set(targets + tests + (top + stems).map(String.init))
    }
}
