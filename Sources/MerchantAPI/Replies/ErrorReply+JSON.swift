internal import Access
internal import HTTP
internal import JSON
internal import Payments

extension ErrorReply {
    /// Reads a request's content, which must be one JSON object, and records the document in the request's trace.
    static func document(_ content: WipedBuffer, _ trace: RequestTrace? = nil) throws(ErrorReply) -> JSONDocument {
        let document: JSONDocument
        do throws(JSONFault) {
            document = try content.withUnsafeBytes { (bytes) throws(JSONFault) in try JSONDocument(bytes) }
        } catch {
            trace?.note(content: .malformed)
            throw ErrorReply(error)
        }
        trace?.note(content: .document(document))
        guard document.root.kind == .object else {
            throw ErrorReply("Json encoded payload error: Expected an object")
        }
        return document
    }

    /// The reply to content that is not strict JSON, with the real gateway's message where it is known.
    init(_ fault: JSONFault) {
        let character = fault.character.map { " '\($0)'" } ?? ""
        let finding =
            switch fault.reason {
            case .unexpectedCharacter: "Unexpected character\(character)"
            case .unexpectedEnd: "Unexpected end"
            case .textAfterEnd: "Unexpected text after the end"
            case .invalidNumber: "Invalid number"
            case .invalidEscape: "Invalid escape sequence"
            case .controlCharacter: "Unescaped control character"
            case .invalidUTF8: "Invalid UTF-8"
            case .duplicateName: "Repeated name '\((fault.path ?? "").maskingAccountNumbers(cutTo: 200))'"
            case .tooLarge: "The payload is too large"
            case .tooDeep: "The payload is nested too deeply"
            case .tooManyValues: "The payload holds too many values"
            }
        self.init("Json encoded payload error: \(finding) at [character \(fault.column) line \(fault.line)]")
    }
}
