internal import JSON
internal import Payments

/// What may be shown of requests and replies: no card data, payment tokens, passwords or keys.
///
/// Inside of `sourceOfFunds` only what is known to be harmless is shown; elsewhere what is known to be secret is not, and
/// account numbers are masked wherever they stand. Session ids and the tokens of stored cards keep their last four
/// characters, for merchants use both as credentials. Of a refused request only members that the APIs know show a value: what
/// else stands in it could be anything.
///
/// Every request passes here, so what is shown goes from one text to the other with nothing built in between, and what
/// is not is passed over.
enum RequestMask {
    /// Bytes of content that are looked at; of more than that only the count is told.
    static let contentBytesMax = 128 * 1024

    private static let mask = MemberName.mask

    /// Writes a member with the content of a request or reply; nothing if it is empty.
    ///
    /// - Parameter known: the members that may show a value; without it all may.
    static func write(
        _ name: String, _ content: UnsafeRawBufferPointer, showing known: KnownMembers? = nil, to log: inout JSONWriter
    ) {
        guard !content.isEmpty else { return }
        log.write(name: name)
        // What is not JSON could hold anything anywhere.
        guard content.count <= contentBytesMax, let document = try? JSONDocument(content) else {
            log.beginObject()
            log.write(name: "bytes")
            log.write(Int64(content.count))
            return log.endObject()
        }
        write(document.root, under: .plain, isFunding: false, at: known?.content, to: &log)
    }

    private static func write(
        _ node: JSONNode, under name: MemberName.Meaning, isFunding: Bool, at place: KnownMembers.Place?,
        to log: inout JSONWriter
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
                write(
                    value, under: meaning, isFunding: isFunding || meaning == .sourceOfFunds, at: place?[name],
                    to: &log)
            }
            // A name that had to be hidden might then be one that the object has twice.
            if hidden > 0 {
                log.write(name: mask)
                log.write(hidden)
            }
            log.endObject()
        case .array:
            log.beginArray()
            for element in node.elements {
                write(element, under: name, isFunding: isFunding, at: place?.element, to: &log)
            }
            log.endArray()
        case .null, .bool: log.write(asItStands: node)
        case .string, .number:
            guard place?.isValue ?? true else { return log.write(mask) }
            writeLeaf(node, under: name, isFunding: isFunding, to: &log)
        }
    }

    private static func writeLeaf(
        _ node: JSONNode, under name: MemberName.Meaning, isFunding: Bool, to log: inout JSONWriter
    ) {
        switch name {
        case .credential: return log.write(mask + node.text.suffix(4))
        case .accountNumber where isFunding: return writeAccountNumber(node, to: &log)
        case .harmless: break
        case .secretText: return log.write(mask)
        case .accountNumber, .hidden, .plain, .secret, .sourceOfFunds: if isFunding { return log.write(mask) }
        }
        guard !node.isShownWhole else { return log.write(asItStands: node) }
        let text = node.text
        let shown = PeerText.shown(text)
        // A number stays one unless something in it had to be hidden.
        if node.kind == .number, shown == text { log.write(asItStands: node) } else { log.write(shown) }
    }

    /// First six and last four of a number of 13 to 19 digits, or what is masked already as replies mask it: the first six and
    /// the last four, or the last four alone. Nothing of any other.
    private static func writeAccountNumber(_ node: JSONNode, to log: inout JSONWriter) {
        let text = node.text
        let count = text.utf8.count
        guard (13...19).contains(count) else { return log.write(mask) }
        let isDigit = text.utf8.map { $0 &- UInt8(ascii: "0") < 10 }
        let masked = text.prefix(6) + String(repeating: "x", count: count - 10) + text.suffix(4)
        if isDigit.allSatisfy(\.self) { return log.write(String(masked)) }
        let isMasked =
            isDigit.suffix(4).allSatisfy(\.self)
            && (text == masked && isDigit.prefix(6).allSatisfy(\.self)
                || text == String(repeating: "x", count: count - 4) + text.suffix(4))
        log.write(isMasked ? text : mask)
    }
}

extension JSONNode {
    /// A string or number as text.
    fileprivate var text: String { string ?? numberText ?? "" }

    /// Whether all of a string or number may be shown, as it can be told at a glance.
    fileprivate var isShownWhole: Bool { !isEscaped && withRawBytes { PeerText.isShownWhole($0) } }
}
