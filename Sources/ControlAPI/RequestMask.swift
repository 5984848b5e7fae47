internal import JSON
internal import Payments

/// What may be shown of requests and replies: no card data, payment tokens, passwords or keys.
///
/// Inside of `sourceOfFunds` only what is known to be harmless is shown; elsewhere what is known to be secret is not, and
/// account numbers are masked wherever they stand. Session ids and the tokens of stored cards keep their last four
/// characters, for merchants use both as credentials.
///
/// Every request passes here, so what is shown goes from one text to the other with nothing built in between, and what
/// is not is passed over.
enum RequestMask {
    /// Bytes of content that are looked at; of more than that only the count is told.
    static let contentBytesMax = 128 * 1024

    private static let mask = MemberName.mask

    /// Writes a member with the content of a request or reply; nothing if it is empty.
    static func write(_ name: String, _ content: [UInt8], to log: inout JSONWriter) {
        guard !content.isEmpty else { return }
        log.write(name: name)
        // What is not JSON could hold anything anywhere.
        guard content.count <= contentBytesMax, let document = try? JSONDocument(content) else {
            log.beginObject()
            log.write(name: "bytes")
            log.write(Int64(content.count))
            return log.endObject()
        }
        write(document.root, under: .plain, isFunding: false, to: &log)
    }

    private static func write(
        _ node: JSONNode, under name: MemberName.Meaning, isFunding: Bool, to log: inout JSONWriter
    ) {
        guard name != .secret else { return log.write(mask) }
        switch node.kind {
        case .object:
            log.beginObject()
            var hidden: Int64 = 0
            for (name, value) in node.namedNodes {
                let meaning = MemberName.meaning(of: name)
                guard meaning != .hidden else {
                    hidden += 1
                    continue
                }
                log.write(name: name)
                write(value, under: meaning, isFunding: isFunding || meaning == .sourceOfFunds, to: &log)
            }
            // A name that had to be hidden might then be one that the object has twice.
            if hidden > 0 {
                log.write(name: mask)
                log.write(hidden)
            }
            log.endObject()
        case .array:
            log.beginArray()
            for element in node.elements { write(element, under: name, isFunding: isFunding, to: &log) }
            log.endArray()
        case .null, .bool: log.write(asItStands: node)
        case .string, .number: writeLeaf(node, under: name, isFunding: isFunding, to: &log)
        }
    }

    private static func writeLeaf(
        _ node: JSONNode, under name: MemberName.Meaning, isFunding: Bool, to log: inout JSONWriter
    ) {
        switch name {
        case .credential: return log.write(mask + node.text.suffix(4))
        case .accountNumber where isFunding: return writeAccountNumber(node, to: &log)
        case .harmless: break
        case .accountNumber, .hidden, .plain, .secret, .sourceOfFunds: if isFunding { return log.write(mask) }
        }
        guard !node.isShownWhole else { return log.write(asItStands: node) }
        let text = node.text
        let shown = PeerText.shown(text)
        // A number stays one unless something in it had to be hidden.
        if node.kind == .number, shown == text { log.write(asItStands: node) } else { log.write(shown) }
    }

    /// First six and last four of a number of 13 to 19 digits, or of one that is masked already; nothing of any other.
    private static func writeAccountNumber(_ node: JSONNode, to log: inout JSONWriter) {
        let text = node.text
        let characters = text.utf8
        guard (13...19).contains(characters.count),
            characters.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 || $0 == UInt8(ascii: "x") })
        else { return log.write(mask) }
        guard !characters.contains(UInt8(ascii: "x")) else { return log.write(text) }
        log.write(text.prefix(6) + String(repeating: "x", count: characters.count - 10) + text.suffix(4))
    }
}

extension JSONNode {
    /// A string or number as text.
    fileprivate var text: String { string ?? numberText ?? "" }

    /// Whether all of a string or number may be shown, as it can be told at a glance.
    fileprivate var isShownWhole: Bool { !isEscaped && withRawBytes { PeerText.isShownWhole($0) } }
}
