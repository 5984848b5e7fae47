internal import Access
internal import JSON
internal import Payments

/// Masks requests and replies for display: card data, payment tokens, passwords and keys are hidden.
///
/// Inside of `sourceOfFunds` only values known to be harmless are shown. Elsewhere values known to be secret are hidden,
/// and account numbers are masked everywhere. Session ids and the tokens of stored cards are cut to their last four
/// characters, because merchants use both as credentials. In a refused request only members that the APIs know show a
/// value, since any other member could contain anything.
///
/// Every request is masked, so values are copied directly from the source to the log without intermediate objects, and
/// hidden values are skipped.
enum RequestMask {
    /// The maximum size of content that is parsed, in bytes. For larger content only the length is shown.
    static let contentBytesMax = 128 * 1024

    private static let mask = MemberName.mask

    /// Writes a member with the content of a request or reply, unless it is empty.
    ///
    /// - Parameters:
    ///   - read: the document if the API has already parsed the content, so that it is not parsed twice.
    ///   - known: the members that may show a value; nil for all.
    static func write(
        _ name: String, _ content: UnsafeRawBufferPointer, _ read: RequestTrace.Content = .unread,
        showing known: KnownMembers? = nil, to log: inout JSONWriter
    ) {
        guard !content.isEmpty else { return }
        log.write(name: name)
        // Content that is not JSON could contain secrets anywhere.
        guard content.count <= contentBytesMax, let document = document(content, read) else {
            log.beginObject()
            log.write(name: "bytes")
            log.write(Int64(content.count))
            return log.endObject()
        }
        write(document.root, under: .plain, isFunding: false, at: known?.content, to: &log)
    }

    private static func document(_ content: UnsafeRawBufferPointer, _ read: RequestTrace.Content) -> JSONDocument? {
        switch read {
        case .document(let document): document
        case .malformed: nil
        case .unread: try? JSONDocument(content)
        }
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
            // Hidden names could otherwise become duplicate members of the object.
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
        case .null, .bool: log.write(raw: node)
        case .string, .number:
            guard place?.isValue ?? true else { return log.write(mask) }
            writeLeaf(node, under: name, isFunding: isFunding, to: &log)
        }
    }

    private static func writeLeaf(
        _ node: JSONNode, under name: MemberName.Meaning, isFunding: Bool, to log: inout JSONWriter
    ) {
        switch name {
        case .credential: return log.write(mask + node.withText { String(decoding: $0.suffix(4), as: UTF8.self) })
        case .accountNumber where isFunding: return log.write(node.withText(maskedAccountNumber) ?? mask)
        case .harmless: break
        case .secretText: return log.write(mask)
        case .accountNumber, .hidden, .plain, .secret, .sourceOfFunds: if isFunding { return log.write(mask) }
        }
        guard !node.isShownWhole else { return log.write(raw: node) }
        let text = node.text
        let shown = PeerText.shown(text)
        // A number remains a JSON number unless a part of it was masked.
        if node.kind == .number, shown == text { log.write(raw: node) } else { log.write(shown) }
    }

    /// Masks an account number of 13 to 19 digits to its first six and last four. Keeps a number that is already masked
    /// as replies mask it, to its first six and last four digits or to its last four. Nil for any other value. Hidden
    /// digits are never copied.
    private static func maskedAccountNumber(_ text: UnsafeRawBufferPointer) -> String? {
        guard (13...19).contains(text.count) else { return nil }
        func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
        func isMark(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "x") }
        let (first, last) = (text.prefix(6), text.suffix(4))
        let hidden = text[first.endIndex..<last.startIndex]
        guard last.allSatisfy(isDigit),
            first.allSatisfy(isDigit) && (hidden.allSatisfy(isDigit) || hidden.allSatisfy(isMark))
                || first.allSatisfy(isMark) && hidden.allSatisfy(isMark)
        else { return nil }
        return String(decoding: first, as: UTF8.self) + String(repeating: "x", count: hidden.count)
            + String(decoding: last, as: UTF8.self)
    }
}

extension JSONNode {
    /// Passes the text of a string or number to a closure, valid only during the call. No copy of it remains.
    fileprivate func withText<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        withStringBytes(body) ?? withRawBytes(body)
    }

    /// A string or number as text.
    fileprivate var text: String { string ?? numberText ?? "" }

    /// Whether a string or number may be shown completely; a fast check.
    fileprivate var isShownWhole: Bool { !isEscaped && withRawBytes { PeerText.isShownWhole($0) } }
}
