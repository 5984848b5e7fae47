/// The fields that a request may have, as a tree of their dotted paths.
struct RequestFields: Sendable {
    /// What may stand under one name.
    enum Entry: Sendable {
        /// An object with members of its own.
        case object(RequestFields)
        /// An array of objects, at most so many.
        case array(RequestFields, elementsMax: Int)
        /// An object whose names the merchant chooses, of ASCII letters and digits.
        case custom(FieldRule, Echo)
        /// A field.
        case field(FieldRule, Echo)
        /// A field or group that the real gateway knows and this one doesn't serve.
        case unsupported
    }

    /// What replies do with a field.
    enum Echo: Equatable, Sendable {
        /// They don't repeat it, or take it from the domain.
        case none
        /// They repeat it at its place as it was sent; amounts become numbers with the decimals of their currency. It is
        /// kept in clear, so it is never card data.
        case same
        /// They append it, behind a comma and a space, to the field of this name beside it, of which at most so many
        /// characters are kept.
        case appended(to: String, charactersMax: Int)
    }

    /// One row of a table of fields. In its path `name[]` is an array and `name.*` an object with names of the merchant's
    /// own.
    struct Row {
        let path: String
        let content: Content

        enum Content {
            case field(FieldRule, Echo)
            case unsupported
        }

        /// A field that replies don't repeat, or that they take from the domain.
        static func taken(_ path: String, _ rule: FieldRule) -> Row { Row(path: path, content: .field(rule, .none)) }
        /// A field that replies repeat as it was sent.
        static func echoed(_ path: String, _ rule: FieldRule, _ echo: Echo = .same) -> Row {
            Row(path: path, content: .field(rule, echo))
        }
        /// A field or group that isn't served; it may be there if there is nothing in it.
        static func unsupported(_ path: String) -> Row { Row(path: path, content: .unsupported) }
    }

    /// The most elements of an array, and of names of the merchant's own. The real gateway's bounds of arrays are not
    /// public; a request's bytes and values are bounded too.
    static let elementsMax = 1000
    /// The most names of the merchant's own in one object, `order.custom`.
    static let customNamesMax = 50

    /// What may stand under each name.
    private(set) var entries: [String: Entry] = [:]

    /// A table.
    ///
    /// - Precondition: no path stands in it twice, and none lies under a field.
    init(_ rows: [Row]) {
        for row in rows { insert(row, at: row.path.split(separator: ".")[...]) }
    }

    /// What may stand under a name.
    subscript(name: String) -> Entry? { entries[name] }

    private mutating func insert(_ row: Row, at path: ArraySlice<Substring>) {
        guard let segment = path.first else { preconditionFailure("a path has a name") }
        let isArray = segment.hasSuffix("[]")
        let name = String(isArray ? segment.dropLast(2) : segment)
        let rest = path.dropFirst()
        guard !rest.isEmpty else {
            precondition(entries[name] == nil && !isArray, "\(row.path) has one row in the table")
            entries[name] =
                switch row.content {
                case .field(let rule, let echo): .field(rule, echo)
                case .unsupported: .unsupported
                }
            return
        }
        if rest.elementsEqual(["*"]), case .field(let rule, let echo) = row.content {
            precondition(entries[name] == nil, "\(row.path) has one row in the table")
            entries[name] = .custom(rule, echo)
            return
        }
        var children: RequestFields
        switch entries[name] {
        case .object(let present) where !isArray: children = present
        case .array(let present, _) where isArray: children = present
        case nil: children = RequestFields([])
        case .object, .array, .custom, .field, .unsupported: preconditionFailure("\(row.path) lies under a field")
        }
        children.insert(row, at: rest)
        entries[name] = isArray ? .array(children, elementsMax: Self.elementsMax) : .object(children)
    }
}

extension RequestFields.Entry {
    /// What may stand under a name of an object.
    subscript(name: String) -> RequestFields.Entry? {
        switch self {
        case .object(let fields): fields[name]
        case .custom(let rule, let echo): .field(rule, echo)
        case .array, .field, .unsupported: nil
        }
    }

    /// Whether nothing stands under it by name.
    var isLeaf: Bool {
        switch self {
        case .object, .custom: false
        case .array, .field, .unsupported: true
        }
    }

    /// What the elements of an array are.
    var element: RequestFields.Entry? {
        guard case .array(let fields, _) = self else { return nil }
        return .object(fields)
    }

    /// Whether this is a text, of which digits and a whole number are the same.
    var isText: Bool {
        guard case .field(let rule, _) = self else { return false }
        return rule.isText
    }

    /// Whether this is a decimal, of which `5656` and `5656.00` are the same.
    var isDecimal: Bool {
        guard case .field(let rule, _) = self else { return false }
        return rule.isDecimal
    }
}
