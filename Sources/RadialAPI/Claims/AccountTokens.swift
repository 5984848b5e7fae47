public import Values
public import Vault

/// What stands for account numbers in Radial's API: as long as the number, with its first six and last four digits, and
/// letters and digits between them.
///
/// The same number of one merchant always has the same token, also in another instance on the same database. It is made of an
/// HMAC under the installation key, and tells nothing but the digits that it shows; what it stands for lies sealed in the store.
public struct AccountTokens: Sendable {
    /// How often a new token is drawn because the last one already stands for another number.
    static let attemptsMax = 64
    /// The longest token: as many characters as an account number has digits.
    public static let charactersMax = 19
    /// Of a number with fewer digits the first six are not shown, as too few would be hidden.
    static let shownFromDigits = 13

    /// How many tokens a merchant has at most, unless said. A merchant keeps them as references, so none goes for a new one.
    public static let countMaxDefault = 10_000_000

    private let texts: SealedTexts
    private let limit: GroupLimit

    /// The tokens of an installation.
    ///
    /// - Parameters:
    ///   - countMax: how many a merchant has at most.
    ///   - report: receives what can't be opened or read; the store reports its own failures.
    public init(
        store: any SealedStore, keys: KeyRing, countMax: Int = countMaxDefault,
        report: @escaping @Sendable (StoreFailure) -> Void = { _ in }
    ) {
        texts = SealedTexts(store: store, keys: keys, report: report)
        limit = GroupLimit(countMax: countMax, followsOrders: true)
    }

    /// The token of a number, durable. Throws ``StoreFailure/full(_:countMax:)`` if the merchant has as many as it may have.
    public func token(
        for number: AccountNumber, of merchant: MerchantID, at instant: Instant
    ) async throws(StoreFailure) -> String {
        for attempt in 0..<Self.attemptsMax {
            let token = token(for: number, of: merchant, attempt)
            if let found = try await accountNumber(of: token, of: merchant) {
                if found == number { return token }
            } else if try await write(number, as: token, of: merchant, at: instant) {
                return token
            } else if try await accountNumber(of: token, of: merchant) == number {
                return token
            }
        }
        throw .damaged(detail: "account tokens: no free one for a number")
    }

    /// The token of a number that pays for an order, and what the order holds for it. Nothing is written yet.
    func held(
        for number: AccountNumber, of merchant: MerchantID
    ) async throws(StoreFailure) -> (token: String, item: HeldItem) {
        for attempt in 0..<Self.attemptsMax {
            let token = token(for: number, of: merchant, attempt)
            let owner = Self.owner(token, merchant)
            guard let found = try await accountNumber(of: token, of: merchant) else {
                return (token, texts.held(Self.text(of: number), of: owner, limit: limit))
            }
            if found == number { return (token, texts.held(existing: owner)) }
        }
        throw .damaged(detail: "account tokens: no free one for a number")
    }

    /// That a merchant has as many as it may have.
    var fullFailure: StoreFailure { .full(.accountToken, countMax: limit.countMax) }

    /// The number that a merchant's token stands for; nil if there is no such token.
    public func accountNumber(
        of token: String, of merchant: MerchantID
    ) async throws(StoreFailure) -> AccountNumber? {
        guard token.utf8.count <= Self.charactersMax else { return nil }
        guard let found = try await texts.find(Self.owner(token, merchant)) else { return nil }
        do throws(AccountNumber.Malformed) {
            return try found.text.withUnsafeBytes { (digits) throws(AccountNumber.Malformed) in
                try AccountNumber(ascii: digits, checkDigit: .any)
            }
        } catch {
            throw texts.damage("account token: not digits")
        }
    }

    private func write(
        _ number: AccountNumber, as token: String, of merchant: MerchantID, at instant: Instant
    ) async throws(StoreFailure) -> Bool {
        try await texts.write(
            Self.text(of: number), of: Self.owner(token, merchant), revision: 1, expiry: nil, limit: limit, at: instant)
    }

    private static func text(of number: AccountNumber) -> SecretBytes {
        number.withDigits { SecretBytes(copying: $0) }
    }

    private static func owner(_ token: String, _ merchant: MerchantID) -> SealedOwner {
        SealedOwner(.accountToken, merchant: merchant, id: token)
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)

    /// The token of a number at one attempt: the middle is drawn from codes of the number until it has a letter, so that no
    /// token is ever taken for an account number.
    private func token(for number: AccountNumber, of merchant: MerchantID, _ attempt: Int) -> String {
        number.withDigits { digits in
            let first = digits.count >= Self.shownFromDigits ? 6 : 0
            let hidden = digits.count - first - 4
            var middle: [UInt8] = []
            var block = 0
            while middle.count < hidden || !middle.contains(where: { $0 > UInt8(ascii: "9") }) {
                if middle.count >= hidden { middle = [] }
                for byte in code(of: digits, merchant, attempt, block) where middle.count < hidden {
                    // 248 is the largest multiple of 62 that a byte has room for: every character is as likely.
                    if byte < 248 { middle.append(Self.alphabet[Int(byte) % Self.alphabet.count]) }
                }
                block += 1
            }
            return String(decoding: digits.prefix(first), as: UTF8.self) + String(decoding: middle, as: UTF8.self)
                + String(decoding: digits.suffix(4), as: UTF8.self)
        }
    }

    private func code(
        of digits: UnsafeRawBufferPointer, _ merchant: MerchantID, _ attempt: Int, _ block: Int
    ) -> [UInt8] {
        // Neither a merchant's identifier nor a number holds a zero.
        let head = Array("\(attempt)\0\(block)\0\(merchant.text)\0".utf8)
        let text = SecretBytes(count: head.count + digits.count) { text in
            text.copyBytes(from: head)
            UnsafeMutableRawBufferPointer(rebasing: text[head.count...]).copyMemory(from: digits)
        }
        return text.withUnsafeBytes { texts.keys.recognition.authenticationCode("tollgate account token", $0) }
    }
}

extension SealingPurpose {
    /// The account number that a token of Radial's API stands for.
    public static let accountToken = SealingPurpose("account token")
}
