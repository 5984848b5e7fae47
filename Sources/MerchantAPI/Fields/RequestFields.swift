/// The fields that a request may have, as a tree of their dotted paths.
struct RequestFields: Sendable {
    /// The allowed values of one name.
    enum Entry: Sendable {
        /// An object with members of its own.
        case object(RequestFields)
        /// An array of objects with a maximum number of elements.
        case array(RequestFields, elementsMax: Int)
        /// An object whose names the merchant chooses, of ASCII letters and digits.
        case custom(FieldRule, Echo)
        /// A field.
        case field(FieldRule, Echo)
        /// A field or group that the real gateway supports and this gateway does not.
        case unsupported
    }

    /// The treatment of a field in replies.
    enum Echo: Equatable, Sendable {
        /// Replies don't echo the field, or take it from the stored transaction.
        case none
        /// Replies echo the field at its place as it was sent; amounts become numbers with the decimals of their
        /// currency. The value is stored in plaintext, so it must never be card data.
        case same
        /// Replies append the value, after a comma and a space, to another field of the same object, up to a maximum
        /// number of characters.
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

        /// A field that replies don't echo, or that they take from the stored transaction.
        static func taken(_ path: String, _ rule: FieldRule) -> Row { Row(path: path, content: .field(rule, .none)) }
        /// A field that replies echo as it was sent.
        static func echoed(_ path: String, _ rule: FieldRule, _ echo: Echo = .same) -> Row {
            Row(path: path, content: .field(rule, echo))
        }
        /// An unsupported field or group, which may be present if it is empty.
        static func unsupported(_ path: String) -> Row { Row(path: path, content: .unsupported) }
    }

    /// The maximum number of elements of an array. The real gateway's maximums are not public; the number of bytes
    /// and values of a request is limited as well.
    static let elementsMax = 1000
    /// The maximum number of names of the merchant's own in one object, `order.custom`.
    static let customNamesMax = 50

    /// The entries by name.
    private(set) var entries: [String: Entry] = [:]

    /// Creates a table.
    ///
    /// - Precondition: each path occurs once, and no path is below a field.
    init(_ rows: [Row]) {
        for row in rows { insert(row, at: row.path.split(separator: ".")[...]) }
    }

    /// The entry of a name; nil if there is none.
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
    /// The entry of a name in an object; nil if there is none.
    subscript(name: String) -> RequestFields.Entry? {
        switch self {
        case .object(let fields): fields[name]
        case .custom(let rule, let echo): .field(rule, echo)
        case .array, .field, .unsupported: nil
        }
    }

    /// Whether the entry has no named members.
    var isLeaf: Bool {
        switch self {
        case .object, .custom: false
        case .array, .field, .unsupported: true
        }
    }

    /// The entry of an array's elements.
    var element: RequestFields.Entry? {
        guard case .array(let fields, _) = self else { return nil }
        return .object(fields)
    }

    /// Whether the field is a string, for which a whole number with the same digits is the same value.
    var isText: Bool {
        guard case .field(let rule, _) = self else { return false }
        return rule.isText
    }

    /// Whether the field is a decimal, for which `5656` and `5656.00` are the same value.
    var isDecimal: Bool {
        guard case .field(let rule, _) = self else { return false }
        return rule.isDecimal
    }
}
