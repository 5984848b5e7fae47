/// The fields that a request may have, as a tree of their dotted paths.
struct RequestFields: Sendable {
    /// What may stand under one name.
    enum Entry: Sendable {
        /// An object with members of its own.
        case object(RequestFields)
        /// A field.
        case field(FieldRule, isEchoed: Bool)
    }

    /// One row of a table of fields.
    struct Row {
        let path: String
        let rule: FieldRule
        /// Whether replies repeat it under the same path.
        let isEchoed: Bool

        /// A field that replies don't repeat, or that they take from the domain.
        static func taken(_ path: String, _ rule: FieldRule) -> Row { Row(path: path, rule: rule, isEchoed: false) }
        /// A field that replies repeat as it was sent. It is kept in clear, so it is never card data.
        static func echoed(_ path: String, _ rule: FieldRule) -> Row { Row(path: path, rule: rule, isEchoed: true) }
    }

    private var entries: [String: Entry] = [:]

    init(_ rows: [Row]) {
        for row in rows {
            insert(row, at: row.path.split(separator: ".")[...])
        }
    }

    subscript(name: String) -> Entry? { entries[name] }

    private init() {}

    private mutating func insert(_ row: Row, at path: ArraySlice<Substring>) {
        guard let first = path.first.map(String.init) else { preconditionFailure("a path has a name") }
        if path.count == 1 {
            precondition(entries[first] == nil, "\(row.path) stands in the table once")
            entries[first] = .field(row.rule, isEchoed: row.isEchoed)
            return
        }
        var children = RequestFields()
        switch entries[first] {
        case .object(let present): children = present
        case .field: preconditionFailure("\(row.path) lies under a field")
        case nil: break
        }
        children.insert(row, at: path.dropFirst())
        entries[first] = .object(children)
    }
}

extension RequestFields.Entry {
    /// What may stand under a name of an object.
    subscript(name: String) -> RequestFields.Entry? {
        switch self {
        case .object(let fields): fields[name]
        case .field: nil
        }
    }

    /// Whether this is an amount, of which `5656` and `5656.00` are the same.
    var isAmount: Bool {
        switch self {
        case .field(.amount, _): true
        case .field, .object: false
        }
    }
}
