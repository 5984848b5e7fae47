import Foundation
import JSON

/// The variables of a run, and the lines of script that Postman would run.
struct PostmanScript {
    /// Why a line did not do what it should.
    enum Failure: Error, Equatable {
        /// The line is none of those that are known here.
        case unknownLine(String)
        /// `{{…}}` names no variable.
        case unknownVariable(String)
        /// What the line names is not there.
        case absent(String)
    }

    private(set) var variables: [String: String]

    init(variables: [String: String]) { self.variables = variables }

    /// A text with its `{{…}}` replaced.
    func replaced(_ text: String) throws -> String {
        try text.replacing(/\{\{([$A-Za-z]+)\}\}/) { match in
            let name = String(match.1)
            if name == "$guid" { return UUID().uuidString.lowercased() }
            if name == "$timestamp" { return String(Int(Date().timeIntervalSince1970)) }
            guard let value = variables[name] else { throw Failure.unknownVariable(name) }
            return value
        }
    }

    /// Runs a line that precedes a request.
    mutating func run(before line: String) throws {
        guard let set = line.wholeMatch(of: Self.set),
            let text = set.2.wholeMatch(of: /pm\.variables\.replaceIn\("([^"]*)"\)/)
        else { throw Failure.unknownLine(line) }
        variables[String(set.1)] = try replaced(String(text.1))
    }

    /// Runs a line that follows a response.
    ///
    /// - Returns: the expectations that failed; nil if all held.
    mutating func run(after line: String, _ reply: HTTPReply) throws -> String? {
        if let test = line.wholeMatch(of: /pm\.test\("[^"]*", \(\) => (.*)\);/) {
            return try fault(of: test.1, line, reply)
        }
        guard let set = line.wholeMatch(of: Self.set) else { throw Failure.unknownLine(line) }
        variables[String(set.1)] = try text(of: set.2, line, reply)
        return nil
    }

    /// A variable's name and the expression that it is set to.
    private static var set: Regex<(Substring, Substring, Substring)> {
        /pm\.collectionVariables\.set\("([A-Za-z]+)", (.*)\);/
    }
    /// The path of a member of the reply.
    private static var member: Regex<(Substring, Substring)> { /pm\.response\.json\(\)\.([A-Za-z0-9.\[\]]+)/ }

    private func fault(of assertion: Substring, _ line: String, _ reply: HTTPReply) throws -> String? {
        if let match = assertion.wholeMatch(of: /pm\.response\.to\.have\.status\((\d+)\)/) {
            return String(reply.status) == match.1 ? nil : "status \(reply.status), not \(match.1)"
        }
        if let match = assertion.wholeMatch(of: /pm\.expect\(pm\.response\.text\(\)\)\.to\.include\("(.*)"\)/) {
            return reply.text.contains(match.1) ? nil : "\(match.1) is not there"
        }
        guard let match = assertion.wholeMatch(of: /pm\.expect\((.*)\)\.to\.eql\((.*)\)/),
            let member = match.1.wholeMatch(of: Self.member),
            let expected = try? JSONValue(parsing: String(match.2))
        else { throw Failure.unknownLine(line) }
        let found = try Self.value(at: String(member.1), in: try reply.json)
        return Self.isEqual(found, expected) ? nil : "\(member.1) is \(Self.text(found)), not \(match.2)"
    }

    private func text(of expression: Substring, _ line: String, _ reply: HTTPReply) throws -> String {
        if let member = expression.wholeMatch(of: Self.member) {
            guard let text = try Self.value(at: String(member.1), in: try reply.json).text else {
                throw Failure.absent(String(member.1))
            }
            return text
        }
        if let parsed = expression.wholeMatch(of: /JSON\.parse\((.*)\)\.([A-Za-z.]+)/),
            let member = parsed.1.wholeMatch(of: Self.member)
        {
            guard let text = try Self.value(at: String(member.1), in: try reply.json).text,
                let found = try Self.value(at: String(parsed.2), in: try JSONValue(parsing: text)).text
            else { throw Failure.absent(String(parsed.2)) }
            return found
        }
        if let json = expression.wholeMatch(of: /JSON\.stringify\((.*)\)/),
            let member = json.1.wholeMatch(of: Self.member)
        {
            return Self.text(try Self.value(at: String(member.1), in: try reply.json))
        }
        guard let header = expression.wholeMatch(of: /pm\.response\.headers\.get\("([A-Za-z-]+)"\)/) else {
            throw Failure.unknownLine(line)
        }
        guard let value = reply.field(header.1.lowercased()) else { throw Failure.absent(String(header.1)) }
        return value
    }

    /// The value at a path such as `a.b[0].length`.
    private static func value(at path: String, in reply: JSONValue) throws -> JSONValue {
        var value = reply
        for part in path.replacing("[", with: ".").replacing("]", with: "").split(separator: ".") {
            switch value {
            case .array(let elements) where part == "length": value = .number(JSONNumber(elements.count))
            case .array(let elements):
                guard let index = Int(part), elements.indices.contains(index) else { throw Failure.absent(path) }
                value = elements[index]
            case .object(let members):
                guard let member = members[String(part)] else { throw Failure.absent(path) }
                value = member
            case .null, .bool, .number, .string: throw Failure.absent(path)
            }
        }
        return value
    }

    /// Whether two values are equal as JavaScript has it: `5656.00` is 5656.
    private static func isEqual(_ one: JSONValue, _ other: JSONValue) -> Bool {
        guard case .number(let one) = one, case .number(let other) = other else { return one == other }
        return Double(one.text) == Double(other.text)
    }

    private static func text(_ value: JSONValue) -> String { String(decoding: value.serialized(), as: UTF8.self) }
}
