public import Values
public import Vault

/// The tokens that replace account numbers in Radial's API. A token is as long as the number, starts with its first six
/// digits, ends with its last four, and has letters and digits in between.
///
/// The same number of the same merchant always has the same token, on every instance that uses the database. The middle
/// is derived from an HMAC under the installation key, so a token reveals only the digits that it shows. The account
/// number itself is sealed in the store.
public struct AccountTokens: Sendable {
    /// The maximum number of tokens tried for one number, if each earlier one already belongs to another number.
    static let attemptsMax = 64
    /// The maximum length of a token, in characters: the maximum number of digits of an account number.
    public static let charactersMax = 19
    /// The minimum number of digits for which the first six are shown. In a shorter number too few digits would be
    /// hidden.
    static let shownFromDigits = 13

    /// The default maximum number of tokens per merchant. Merchants store tokens as references, so none is evicted for a
    /// new one.
    public static let countMaxDefault = 10_000_000

    private let texts: SealedTexts
    private let limit: GroupLimit

    /// Creates the tokens of an installation.
    ///
    /// - Parameters:
    ///   - countMax: the maximum number of tokens per merchant.
    ///   - report: receives damaged records, which can't be opened or read; the store reports its own failures.
    public init(
        store: any SealedStore, keys: KeyRing, countMax: Int = countMaxDefault,
        report: @escaping @Sendable (StoreFailure) -> Void = { _ in }
    ) {
        texts = SealedTexts(store: store, keys: keys, report: report)
        limit = GroupLimit(countMax: countMax, followsOrders: true)
    }

    /// Returns the token of a number, stored durably. Throws ``StoreFailure/full(_:countMax:)`` if the merchant's maximum
    /// is reached.
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

    /// Returns the token of a number that pays for an order, and the item to write with the order's commit. Writes
    /// nothing itself.
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

    /// The failure for a merchant that has reached the maximum number of tokens.
    var fullFailure: StoreFailure { .full(.accountToken, countMax: limit.countMax) }

    /// Returns the account number of a merchant's token; nil if there is no such token.
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

    /// Returns the token of a number for one attempt. The middle is taken from HMACs of the number until it contains a
    /// letter, so that a token can't be mistaken for an account number.
    private func token(for number: AccountNumber, of merchant: MerchantID, _ attempt: Int) -> String {
        number.withDigits { digits in
            let first = digits.count >= Self.shownFromDigits ? 6 : 0
            let hidden = digits.count - first - 4
            var middle: [UInt8] = []
            var block = 0
            while middle.count < hidden || !middle.contains(where: { $0 > UInt8(ascii: "9") }) {
                if middle.count >= hidden { middle = [] }
                for byte in code(of: digits, merchant, attempt, block) where middle.count < hidden {
                    // 248 is the largest multiple of 62 that fits in a byte, so all characters are equally likely.
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
        // A NUL separates the parts, as neither a merchant's identifier nor a number contains one.
        let head = Array("\(attempt)\0\(block)\0\(merchant.text)\0".utf8)
        let text = SecretBytes(count: head.count + digits.count) { text in
            text.copyBytes(from: head)
            UnsafeMutableRawBufferPointer(rebasing: text[head.count...]).copyMemory(from: digits)
        }
        return text.withUnsafeBytes { texts.keys.recognition.authenticationCode("tollgate account token", $0) }
    }
}

extension SealingPurpose {
    /// The account number of a token of Radial's API.
    public static let accountToken = SealingPurpose("account token")
}
