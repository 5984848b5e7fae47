import Access
import Glibc

/// Environment variables that have the prefix of Tollgate's settings but are unknown.
///
/// They are reported, not refused: Kubernetes sets variables of that form for a service named `tollgate`, and tools
/// around the program may have their own.
struct UnknownVariables {
    private let names: [String]

    /// Finds them in this process's environment.
    ///
    /// - Parameter known: variables that merchants' files name.
    init(besides known: Set<String>) {
        let known = known.union(SettingsTable.rows.map(\.variable)).union([
            ConfigurationDirectory.variable, ControlToken.variable, SandboxFiles.passwordVariable,
        ])
        var names: [String] = []
        var next = environ
        while let entry = next.pointee {
            let name = String(cString: entry).prefix { $0 != "=" }
            if name.hasPrefix("TOLLGATE_"), !known.contains(String(name)) { names.append(String(name)) }
            next += 1
        }
        self.names = names.sorted()
    }

    /// One line with their names but not their values; nil if there are none.
    var warning: String? {
        guard !names.isEmpty else { return nil }
        let list = names.map { "\(EscapedLine($0))" }.joined(separator: ", ")
        return "environment: no setting has this name, so it is ignored: \(list)"
    }
}
