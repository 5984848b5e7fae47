internal import JSON
internal import Payments

/// What the names of members in requests and replies tell of their values.
enum MemberName {
    enum Meaning {
        /// The value is a secret wherever it stands.
        case secret
        /// The value is a secret if it is a string or a number; replies have an object of this name that is no secret.
        case secretText
        /// The value is what a merchant uses as a credential.
        case credential
        /// Inside of `sourceOfFunds`, the value shows first six and last four.
        case accountNumber
        /// The value may be shown, inside of `sourceOfFunds` too.
        case harmless
        /// Where the money comes from.
        case sourceOfFunds
        /// Nothing.
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

    /// Replaces what is not shown. A member of this name would be indistinguishable from it.
    static let mask = "…"

    /// What a name tells. Secrets are known by their names in upper and lower case, and by names like those.
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

    /// The names of each length.
    private static let ofLength: [[Known]] = {
        let names = meanings.flatMap { meaning, names in names.map { Known(name: Array($0.utf8), meaning: meaning) } }
        let lengthMax = names.map(\.name.count).max() ?? 0
        return (0...lengthMax).map { length in names.filter { $0.name.count == length } }
    }()
}
