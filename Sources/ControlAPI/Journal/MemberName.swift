internal import JSON
internal import Payments

/// Classifies the names of members in requests and replies by the secrecy of their values.
enum MemberName {
    enum Meaning {
        /// The value is always a secret.
        case secret
        /// The value is a secret if it is a string or a number. Replies have an object of this name that is not a secret.
        case secretText
        /// The value may serve merchants as a credential.
        case credential
        /// The value is an account number: inside of `sourceOfFunds`, its first six and last four digits are shown.
        case accountNumber
        /// The value may be shown, even inside of `sourceOfFunds`.
        case harmless
        /// The value describes the means of payment.
        case sourceOfFunds
        /// The name says nothing about the value.
        case plain
        /// The name itself may not be shown.
        case hidden
    }

    private static let meanings: [(Meaning, [String])] = [
        (
            .secret,
            [
                "aes256key", "authenticationdata", "authenticationtoken", "cryptogram", "emvdata", "grant",
                "merchantsession", "nameoncard", "onlinepaymentcryptogram", "password", "paymentdata", "paymenttoken",
                "pin", "pindata", "securitycode", "serial",
                "track1", "track2",
            ]
        ),
        (.credential, ["token"]),
        (.accountNumber, ["deviceSpecificNumber", "number"]),
        (
            .harmless,
            [
                "brand", "cryptogramFormat", "eciIndicator", "encryption", "fundingMethod", "localBrand", "month",
                "scheme", "storedOnFile", "type", "year",
            ]
        ),
        (.sourceOfFunds, ["sourceOfFunds"]),
    ]

    /// The replacement for a hidden value. A member with this name can't be distinguished from a hidden one.
    static let mask = "…"

    /// The meaning of a name. Names of secrets are recognized in upper and lower case, also by similarity
    /// (``CardDataName``).
    static func meaning(of name: JSONNode) -> Meaning {
        guard name.isEscaped else {
            return name.withRawBytes { quoted in
                let bytes = UnsafeRawBufferPointer(rebasing: quoted[1..<(quoted.count - 1)])
                if let known = knownMeaning(of: bytes) { return known }
                let isMask = bytes.count == mask.utf8.count && bytes.elementsEqual(mask.utf8)
                return PeerText.isShownWhole(bytes) && !isMask ? .plain : meaning(decoding: bytes)
            }
        }
        return name.withStringBytes { knownMeaning(of: $0) ?? meaning(decoding: $0) } ?? .plain
    }

    private static func meaning(decoding bytes: UnsafeRawBufferPointer) -> Meaning {
        let name = String(decoding: bytes, as: UTF8.self)
        return name != mask && PeerText.shown(name) == name ? .plain : .hidden
    }

    private static func knownMeaning(of bytes: UnsafeRawBufferPointer) -> Meaning? {
        if bytes.count < ofLength.count {
            for known in ofLength[bytes.count] where known.isNamed(bytes) { return known.meaning }
        }
        return CardDataName.meaning(of: bytes)
    }
}

extension MemberName {
    private struct Known {
        let name: [UInt8]
        let meaning: Meaning

        func isNamed(_ bytes: UnsafeRawBufferPointer) -> Bool {
            let caseBit: UInt8 = meaning == .secret ? 0x20 : 0
            for index in name.indices where bytes[index] | caseBit != name[index] { return false }
            return true
        }
    }

    /// The known names, by length.
    private static let ofLength: [[Known]] = {
        let names = meanings.flatMap { meaning, names in names.map { Known(name: Array($0.utf8), meaning: meaning) } }
        let lengthMax = names.map(\.name.count).max() ?? 0
        return (0...lengthMax).map { length in names.filter { $0.name.count == length } }
    }()
}
