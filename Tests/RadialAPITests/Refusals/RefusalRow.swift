import HTTP
import HTTPTypes

/// One row of a table of refusals: a way to break a good request, and the fault that answers it.
struct RefusalRow: Sendable {
    /// What is wrong, as the page says it. It names the row.
    let wrong: String
    let status: Int
    /// `Code` of the fault.
    let code: String
    /// The path below the root with which `Description` begins; empty for the root. Nil if there is none.
    let path: String?
    /// What the row changes: paths below the root, or names of what a request has one of. Two rows that change the same, or
    /// one of them a part of the other, never hold at once.
    let changed: Set<String>
    let make: @Sendable (inout FaultyMessage) -> Void
    /// What the page says in place of the path, which is an example.
    private(set) var place: String?

    init(
        _ wrong: String, _ status: Int, _ code: String, _ path: String? = nil, changing changed: Set<String> = [],
        _ make: @escaping @Sendable (inout FaultyMessage) -> Void
    ) {
        self.wrong = wrong
        self.status = status
        self.code = code.hasSuffix("Exception") ? code : code + "Exception"
        self.path = path
        self.changed = changed
        self.make = make
    }

    init(
        _ wrong: String, _ code: String, _ path: String? = nil, changing changed: Set<String> = [],
        _ make: @escaping @Sendable (inout FaultyMessage) -> Void
    ) {
        self.init(wrong, 400, code, path, changing: changed, make)
    }

    /// An element or attribute that has another value, or none: `value` is the whole element.
    static func element(
        _ wrong: String, _ path: String, _ value: String?, _ code: String = "SchemaValidation",
        reported: String? = nil
    ) -> RefusalRow {
        RefusalRow(wrong, code, reported ?? path, changing: [path]) { $0.change(path, value) }
    }

    /// An element that is absent.
    static func missing(_ path: String) -> RefusalRow { element("`\(path)` is absent", path, nil) }

    /// The row, whose path is an example of others.
    func naming(_ place: String) -> RefusalRow {
        var row = self
        row.place = place
        return row
    }

    /// Whether two rows can't hold at once.
    func excludes(_ other: RefusalRow) -> Bool {
        changed.contains { one in
            other.changed.contains { $0 == one || $0.hasPrefix(one + "/") || one.hasPrefix($0 + "/") }
        }
    }

    /// The page's cells.
    var cells: String {
        let place = place ?? path.map { $0.isEmpty ? "the root" : "`\($0)`" } ?? ""
        return "\(wrong) | \(status) | \(code) | \(place)"
    }

    /// Whether a response is this row's fault.
    func answers(_ response: Response, _ root: String) -> Bool {
        let description = response.faultDescription ?? ""
        let begins = path.map { "/\(root)" + ($0.isEmpty ? "" : "/\($0)") + ": " }
        return Int(response.head.status.code) == status && response.faultCode == code
            && (begins.map(description.hasPrefix) ?? !description.hasPrefix("/"))
    }
}
