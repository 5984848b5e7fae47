internal import ApplePay
internal import HTTP
internal import JSON
internal import Payments

/// What may be shown of requests and replies: no card data, payment tokens, passwords or keys.
///
/// Inside of `sourceOfFunds` only what is known to be harmless is shown; elsewhere what is known to be secret is not, and
/// account numbers are masked wherever they stand. Session ids and the tokens of stored cards keep their last four
/// characters, for merchants use both as credentials.
enum RequestMask {
    /// Bytes of content that are looked at; of more than that only the count is told.
    static let contentBytesMax = 128 * 1024
    /// Characters of a text that are shown.
    private static let textCharactersMax = 500
    /// Characters behind those, which may tell that they are to be masked: no account number and no session id is longer,
    /// though each of its characters were percent-encoded.
    private static let masksReach = 128

    private static let mask = "…"

    /// Members whose values are secrets wherever they stand.
    private static let secrets: Set<String> = [
        "aes256key", "authenticationdata", "authenticationtoken", "cryptogram", "emvdata", "nameoncard",
        "onlinepaymentcryptogram", "password", "paymenttoken", "pin", "pindata", "securitycode", "serial", "track1",
        "track2",
    ]
    /// Members that name a credential.
    private static let credentials: Set<String> = ["token"]
    /// Members inside of `sourceOfFunds` that may be shown.
    private static let harmless: Set<String> = [
        "brand", "cryptogramFormat", "eciIndicator", "encryption", "fundingMethod", "localBrand", "month", "scheme",
        "storedOnFile", "type", "year",
    ]
    /// Members inside of `sourceOfFunds` that show first six and last four.
    private static let accountNumbers: Set<String> = ["deviceSpecificNumber", "number"]

    /// The content of a request or reply; nothing if it is empty.
    static func content(_ bytes: [UInt8]) -> JSONValue? {
        guard !bytes.isEmpty else { return nil }
        // What is not JSON could hold anything anywhere.
        guard bytes.count <= contentBytesMax, let document = try? JSONDocument(bytes) else {
            return ["bytes": .number(JSONNumber(bytes.count))]
        }
        return masked(document.root, name: "", isFunding: false)
    }

    /// A path as it was sent, with its query.
    static func path(_ path: String) -> String { shown(path) }

    private static func masked(_ node: JSONNode, name: String, isFunding: Bool) -> JSONValue {
        if secrets.contains(name.lowercased()) { return .string(mask) }
        switch node.kind {
        case .object:
            var members = JSONObject()
            for (name, value) in node.members {
                members[shown(name)] = masked(value, name: name, isFunding: isFunding || name == "sourceOfFunds")
            }
            return .object(members)
        case .array: return .array(node.elements.map { masked($0, name: name, isFunding: isFunding) })
        case .null: return .null
        case .bool: return .bool(node.bool == true)
        case .string, .number: return leaf(node, name: name, isFunding: isFunding)
        }
    }

    private static func leaf(_ node: JSONNode, name: String, isFunding: Bool) -> JSONValue {
        let text = node.string ?? node.numberText ?? ""
        if credentials.contains(name) { return .string(mask + text.suffix(4)) }
        if isFunding {
            if accountNumbers.contains(name) { return .string(accountNumber(text)) }
            guard harmless.contains(name) else { return .string(mask) }
        }
        let shown = shown(text)
        // A number stays one unless something in it had to be hidden.
        return node.kind == .number && shown == text ? node.value : .string(shown)
    }

    /// First six and last four of a number of 13 to 19 digits, or of one that is masked already; nothing of any other.
    private static func accountNumber(_ text: String) -> String {
        let characters = Array(text.utf8)
        let isMaskedAlready = characters.contains(UInt8(ascii: "x"))
        guard (13...19).contains(characters.count),
            characters.allSatisfy({ $0.isDigit || $0 == UInt8(ascii: "x") })
        else { return mask }
        guard !isMaskedAlready else { return text }
        return text.prefix(6) + String(repeating: "x", count: characters.count - 10) + text.suffix(4)
    }

    /// Text that may be anything but card data. In percent-encoding, too: the path of a request is noted as it was sent, and
    /// so are the texts of replies that quote it.
    private static func shown(_ text: String) -> String {
        let looked = String(text.unicodeScalars.prefix(textCharactersMax + masksReach))
        let decoded = looked.percentDecoded
        var shown = masked(decoded)
        // As it was sent, unless that would show what was hidden.
        if shown == decoded { shown = looked == decoded ? shown : masked(looked) }
        guard shown.unicodeScalars.count > textCharactersMax else { return shown }
        return String(shown.unicodeScalars.prefix(textCharactersMax)) + mask
    }

    private static func masked(_ text: String) -> String {
        let masked = text.maskingAccountNumbers()
        return masked.contains("SESSION") ? maskingSessions(masked) : masked
    }

    private static let sessionPrefix = Array("SESSION".utf8)

    /// Hides the middle of what looks like a session id: `SESSION` with 20 letters and digits or more behind it.
    private static func maskingSessions(_ text: String) -> String {
        var masked: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let first = rest.first {
            guard rest.starts(with: sessionPrefix) else {
                masked.append(first)
                rest.removeFirst()
                continue
            }
            let id = rest.prefix(while: \.isLetterOrDigit)
            rest = rest.dropFirst(id.count)
            masked += id.count >= sessionPrefix.count + 20 ? sessionPrefix + Array(mask.utf8) + id.suffix(4) : Array(id)
        }
        return String(decoding: masked, as: UTF8.self)
    }
}

extension String {
    /// The text with each octet in percent-encoding in place of its three characters; what is none stays.
    fileprivate var percentDecoded: String {
        guard utf8.contains(UInt8(ascii: "%")) else { return self }
        var decoded: [UInt8] = []
        var rest = Array(utf8)[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2).compactMap { Character(UnicodeScalar($0)).hexDigitValue }
            guard byte == UInt8(ascii: "%"), digits.count == 2 else {
                decoded.append(byte)
                continue
            }
            decoded.append(UInt8(digits[0] << 4 | digits[1]))
            rest.removeFirst(2)
        }
        return String(decoding: decoded, as: UTF8.self)
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
    fileprivate var isLetterOrDigit: Bool { isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
}
