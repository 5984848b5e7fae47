internal import HTTP

/// The parameters of a query, each at most once.
struct ControlQuery {
    private let values: [String: String]
    private let names: [String]

    /// Parses `name=value&name=value`, percent-decoded once.
    ///
    /// - Parameter names: the parameters that the path understands.
    init(_ query: String?, _ names: [String]) throws(ControlFault) {
        self.names = names
        var values: [String: String] = [:]
        for part in (query ?? "").split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2 else { throw Self.fault(names) }
            let name = String(pair[0])
            do { values[name, default: ""] += try PathSegments.decode(pair[1].utf8) } catch {
                let reason =
                    switch error {
                    case .controlCharacter: "It holds a control character, which no identifier has"
                    case .notUTF8: "It is not UTF-8"
                    default: "The percent-encoding is broken"
                    }
                throw ControlFault(field: name, reason)
            }
        }
        let count = (query ?? "").split(separator: "&").count
        guard values.count == count, values.keys.allSatisfy(names.contains) else { throw Self.fault(names) }
        self.values = values
    }

    private static func fault(_ names: [String]) -> ControlFault {
        ControlFault("The query is \(names.map { "\($0)=…" }.joined(separator: "&")), each once")
    }

    /// A parameter as text; nil if it is absent or empty.
    subscript(name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// A whole number in a range; nil if it is absent.
    func integer(_ name: String, in range: ClosedRange<Int>) throws(ControlFault) -> Int? {
        guard let text = values[name] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw ControlFault(field: name, "Expected \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A value that a closure reads; nil if the parameter is absent or empty.
    func value<Value>(_ name: String, _ expected: String, _ read: (String) -> Value?) throws(ControlFault) -> Value? {
        guard let text = self[name] else { return nil }
        guard let value = read(text) else { throw ControlFault(field: name, "Expected \(expected)") }
        return value
    }

    /// One of a set of words; nil if the parameter is absent.
    func word<Word: RawRepresentable & CaseIterable>(
        _ name: String, _ type: Word.Type
    ) throws(ControlFault) -> Word? where Word.RawValue == String {
        guard let text = values[name] else { return nil }
        guard let word = Word(rawValue: text) else {
            throw ControlFault(
                field: name, "Expected one of " + Word.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return word
    }
}
