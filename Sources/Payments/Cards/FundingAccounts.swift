public import Values

/// The account behind a device account number (FPAN).
public struct FundingAccount: Equatable, Sendable {
    /// The number on the card in the payer's hand.
    public let accountNumber: AccountNumber
    /// Its expiry.
    public let expiry: CardExpiry

    /// An account.
    public init(accountNumber: AccountNumber, expiry: CardExpiry) {
        self.accountNumber = accountNumber
        self.expiry = expiry
    }
}

/// The issuer's mapping of device account numbers to funding accounts, simulated: always the same published test number
/// of the same brand for the same device account number.
public struct FundingAccounts: Equatable, Sendable {
    private let numbers: [CardBrand: [AccountNumber]]
    private let expiry: CardExpiry

    /// A mapping onto these numbers. A brand without numbers maps to nothing, as issuers do that don't tell; so does
    /// every brand if there are no numbers at all.
    public init(numbers: [CardBrand: [AccountNumber]], expiry: CardExpiry) {
        self.numbers = numbers
        self.expiry = expiry
    }

    /// The account that funds a device's, or nil if the issuer doesn't tell.
    public func account(for deviceAccountNumber: AccountNumber) -> FundingAccount? {
        // A number that ends alike would hide which of the two a shop shows.
        let candidates = (numbers[CardBrand(deviceAccountNumber)] ?? []).filter {
            !$0.endsAlike(deviceAccountNumber, count: 4)
        }
        guard !candidates.isEmpty else { return nil }
        // The digits as a number, modulo the count: any fixed choice would do.
        let index = deviceAccountNumber.withDigits { digits in
            digits.reduce(0) { ($0 * 10 + Int($1 - UInt8(ascii: "0"))) % candidates.count }
        }
        return FundingAccount(accountNumber: candidates[index], expiry: expiry)
    }
}
