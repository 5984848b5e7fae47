import Foundation
import JSON
import TestSupport

/// `openapi.yaml`, and what it says of a reply.
struct OpenAPIDescription: Sendable {
    /// One method of one path.
    struct Operation: Sendable {
        let path: String
        /// In capitals, as requests write it.
        let method: String
        let content: JSONValue

        var id: String { content["operationId"]?.text ?? "" }
    }

    /// A reply that is not as the description has it.
    struct Broken: Error {
        let request: String
        let faults: [String]
    }

    let document: JSONValue
    let operations: [Operation]
    let schemas: JSONSchema

    /// The checkout's.
    static let ofRepository = Result {
        try OpenAPIDescription(
            text: try String(contentsOfFile: BuiltProgram.repository + "/openapi.yaml", encoding: .utf8))
    }

    private static let methods = ["delete", "get", "post", "put"]

    init(text: String) throws {
        document = try YAMLText.json(text)
        schemas = JSONSchema(document: document)
        guard case .object(let paths) = document["paths"] else { throw Broken(request: "paths", faults: ["none"]) }
        var operations: [Operation] = []
        for (path, item) in paths {
            guard case .object(let members) = item else { throw Broken(request: path, faults: ["no path item"]) }
            for (name, content) in members where name != "parameters" {
                guard Self.methods.contains(name) else { throw Broken(request: path, faults: ["unknown \(name)"]) }
                operations.append(Operation(path: path, method: name.uppercased(), content: content))
            }
        }
        self.operations = operations
    }

    /// The operation that a request is for; nil if none is described.
    func operation(_ method: String, _ path: String) -> Operation? {
        let segments = path.prefix { $0 != "?" }.split(separator: "/", omittingEmptySubsequences: false)
        return operations.first { operation in
            let template = operation.path.split(separator: "/", omittingEmptySubsequences: false)
            return operation.method == method && template.count == segments.count
                && zip(template, segments).allSatisfy { Self.matches(template: $0, $1) }
        }
    }

    /// Whether a segment is one of a template's such as `order`, `{orderId}` or `{tender}.xml`.
    private static func matches(template: Substring, _ segment: Substring) -> Bool {
        guard template.hasPrefix("{"), let end = template.firstIndex(of: "}") else { return template == segment }
        let suffix = template[template.index(after: end)...]
        return segment.count > suffix.count && segment.hasSuffix(suffix)
    }

    /// Whether a path is described, whatever its methods.
    func describes(path: String) -> Bool { Self.methods.contains { operation($0.uppercased(), path) != nil } }

    /// Holds a reply to the description: its status is one of the operation's, its content type and its content are those
    /// of the status, and every header field that the gateway adds of its own is named there.
    func check(_ method: String, _ path: String, _ reply: HTTPReply) throws {
        var faults: [String] = []
        if let operation = operation(method == "HEAD" ? "GET" : method, path) {
            faults = try self.faults(of: reply, operation, hasContent: method != "HEAD")
        } else if describes(path: path) {
            if reply.status < 400 { faults.append("\(reply.status) to a method without description") }
        } else if reply.status < 400 {
            faults.append("\(reply.status) to a path without description")
        }
        guard faults.isEmpty else { throw Broken(request: "\(method) \(path): \(reply.status)", faults: faults) }
    }

    private func faults(of reply: HTTPReply, _ operation: Operation, hasContent: Bool) throws -> [String] {
        guard var response = operation.content["responses"]?[String(reply.status)] else {
            return ["the status is not described"]
        }
        if let reference = response["$ref"]?.text { response = try schemas.resolved(reference) }
        var faults: [String] = []
        for name in ["Accept-Encoding", "Allow", "Tollgate-Notice", "Tollgate-Report", "WWW-Authenticate"] {
            guard let value = reply.field(name.lowercased()) else { continue }
            var header = response["headers"]?[name]
            if let reference = header?["$ref"]?.text { header = try schemas.resolved(reference) }
            guard let schema = header?["schema"] else {
                faults.append("header \(name) is not described")
                continue
            }
            faults += try schemas.faults(of: .string(value), by: schema)
        }
        let type = reply.field("content-type")?.prefix { $0 != ";" } ?? ""
        guard let content = response["content"]?[String(type)] else { return faults + ["content type \(type)"] }
        guard hasContent, let schema = content["schema"] else { return faults }
        let value: JSONValue =
            switch type {
            case "application/yaml": try YAMLText.json(reply.text)
            case "text/javascript", "text/plain", "text/xml": .string(reply.text)
            default: try reply.json
            }
        return faults + (try schemas.faults(of: value, by: schema))
    }
}

extension JSONValue {
    /// The text of a string.
    var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }
}
