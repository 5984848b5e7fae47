internal import JSON

/// What the names of members in requests and replies tell of their values.
enum MemberName {
    enum Meaning {
        /// The value is a secret wherever it stands.
        case secret
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
    }

    private static let meanings: [(Meaning, [String])] = [
        (
            .secret,
            [
                "aes256key", "authenticationdata", "authenticationtoken", "cryptogram", "emvdata", "nameoncard",
                "onlinepaymentcryptogram", "password", "paymenttoken", "pin", "pindata", "securitycode", "serial",
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

    /// The names of each length.
    private static let ofLength: [[(name: [UInt8], meaning: Meaning)]] = {
        let names = meanings.flatMap { meaning, names in names.map { (name: Array($0.utf8), meaning: meaning) } }
        let lengthMax = names.map(\.name.count).max() ?? 0
        return (0...lengthMax).map { length in names.filter { $0.name.count == length } }
    }()

    /// What a name tells. Secrets are known by their names in upper and lower case.
    static func meaning(of name: JSONNode) -> Meaning {
        name.withStringBytes { bytes in
            guard bytes.count < ofLength.count else { return .plain }
            return ofLength[bytes.count].first { known in
                known.meaning == .secret
                    ? zip(bytes, known.name).allSatisfy { $0 | 0x20 == $1 } : bytes.elementsEqual(known.name)
            }?.meaning ?? .plain
        } ?? .plain
    }
}
