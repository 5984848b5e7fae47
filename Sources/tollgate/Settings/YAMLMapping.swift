import Yams

/// A mapping in a configuration file, parsed strictly. An unknown key or a value of the wrong type is an error that names
/// the key, so that a misspelt setting isn't silently ignored.
struct YAMLMapping {
    private let file: String
    private let path: String
    private let mapping: Node.Mapping

    /// Reads a file that holds one mapping, with these keys and no others.
    init(file: String, keys: [String]) throws {
        let text = String(decoding: try File.readRegular(file, byteCountMax: Self.byteCountMax), as: UTF8.self)
        try self.init(text: text, file: file, keys: keys)
    }

    /// The maximum size of a file, in bytes.
    static let byteCountMax = 1 << 20

    /// Parses the text of a file, which need not exist yet.
    init(text: String, file: String, keys: [String]) throws {
        let node: Node?
        do { node = try Yams.compose(yaml: text) } catch let error as YamlError {
            throw Failure("\(file): \(error.explanation)")
        }
        guard let node else {
            try self.init(Node.Mapping([]), file: file, path: "", keys: keys)
            return
        }
        guard let mapping = node.mapping else { throw Failure("\(file): not a mapping of keys to values") }
        try self.init(mapping, file: file, path: "", keys: keys)
    }

    private init(_ mapping: Node.Mapping, file: String, path: String, keys: [String]) throws {
        self.mapping = mapping
        self.file = file
        self.path = path
        for (key, _) in mapping {
            let name = key.string ?? ""
            guard keys.contains(name) else {
                throw Failure(
                    "\(file): unknown key \(path)\(name); known here: \(keys.sorted().joined(separator: ", "))")
            }
        }
    }

    /// A failure that names the file and the key.
    func failure(_ key: String, _ reason: String) -> Failure { Failure("\(file): \(path)\(key): \(reason)") }

    private func value(_ key: String) -> Node? {
        guard let node = mapping[Node(key)], node != Node("", Tag(.null)), node.null == nil else { return nil }
        return node
    }

    /// The string value of a key; nil if the key is missing.
    func string(_ key: String) throws -> String? {
        guard let node = value(key) else { return nil }
        guard let text = node.scalar?.string else { throw failure(key, "expected a single value") }
        return text
    }

    /// The string value of a key, which must be present.
    func requiredString(_ key: String) throws -> String {
        guard let text = try string(key) else { throw failure(key, "missing") }
        return text
    }

    /// A boolean, `true` or `false`; nil if the key is missing.
    func bool(_ key: String) throws -> Bool? {
        guard let text = try string(key) else { return nil }
        switch text {
        case "true": return true
        case "false": return false
        default: throw failure(key, "expected true or false, not \(text)")
        }
    }

    /// A whole number within a range; nil if the key is missing.
    func integer(_ key: String, in range: ClosedRange<Int>) throws -> Int? {
        guard let text = try string(key) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw failure(key, "expected a whole number from \(range.lowerBound) to \(range.upperBound), not \(text)")
        }
        return number
    }

    /// A nested mapping with these keys and no others; nil if the key is missing.
    func nested(_ key: String, keys: [String]) throws -> YAMLMapping? {
        guard let node = value(key) else { return nil }
        guard let mapping = node.mapping else { throw failure(key, "expected a mapping of keys to values") }
        return try YAMLMapping(mapping, file: file, path: "\(path)\(key).", keys: keys)
    }

    /// A list of strings; nil if the key is missing.
    func strings(_ key: String) throws -> [String]? {
        guard let node = value(key) else { return nil }
        guard let sequence = node.sequence else { throw failure(key, "expected a list") }
        return try sequence.enumerated().map { index, element in
            guard let text = element.scalar?.string else {
                throw failure("\(key)[\(index)]", "expected a single value")
            }
            return text
        }
    }

    /// A list of mappings with these keys and no others; empty if the key is missing.
    func mappings(_ key: String, keys: [String]) throws -> [YAMLMapping] {
        guard let node = value(key) else { return [] }
        guard let sequence = node.sequence else { throw failure(key, "expected a list") }
        return try sequence.enumerated().map { index, element in
            guard let mapping = element.mapping else {
                throw failure("\(key)[\(index)]", "expected a mapping of keys to values")
            }
            return try YAMLMapping(mapping, file: file, path: "\(path)\(key)[\(index)].", keys: keys)
        }
    }
}

extension YamlError {
    /// The problem and its line. Yams's own message would show the file's text, which may hold a password's digest.
    fileprivate var explanation: String {
        switch self {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            "not YAML in line \(mark.line): \(problem)"
        case .duplicatedKeysInMapping(let duplicates, let context):
            "in line \(context.mark.line): twice the same key: \(duplicates.joined(separator: ", "))"
        case .no, .memory, .reader, .writer, .emitter, .representer, .dataCouldNotBeDecoded:
            "not YAML"
        }
    }
}
