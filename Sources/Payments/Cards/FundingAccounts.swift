public import Values

/// The account that funds a device account number (FPAN).
public struct FundingAccount: Equatable, Sendable {
    /// The number on the payer's physical card.
    public let accountNumber: AccountNumber
    /// The expiry of the account number.
    public let expiry: CardExpiry

    /// An account.
    public init(accountNumber: AccountNumber, expiry: CardExpiry) {
        self.accountNumber = accountNumber
        self.expiry = expiry
    }
}

/// A simulation of the issuer's mapping of device account numbers to funding accounts: each device account number
/// always maps to the same published test number of the same brand.
public struct FundingAccounts: Equatable, Sendable {
    private let numbers: [CardBrand: [AccountNumber]]
    private let expiry: CardExpiry

    /// A mapping to these numbers. A brand without numbers has no funding accounts, like issuers that don't return
    /// them; `[:]` has none for any brand.
    public init(numbers: [CardBrand: [AccountNumber]], expiry: CardExpiry) {
        self.numbers = numbers
        self.expiry = expiry
    }

    /// The account that funds a device account number; nil if the issuer doesn't return it.
    public func account(for deviceAccountNumber: AccountNumber) -> FundingAccount? {
        // If both numbers had the same last four digits, one couldn't see which of them a shop displays.
        let candidates = (numbers[CardBrand(deviceAccountNumber)] ?? []).filter {
            !$0.endsAlike(deviceAccountNumber, count: 4)
        }
        guard !candidates.isEmpty else { return nil }
        // Chooses by the digits as a number modulo the count; any deterministic choice would do.
        let index = deviceAccountNumber.withDigits { digits in
            digits.reduce(0) { ($0 * 10 + Int($1 - UInt8(ascii: "0"))) % candidates.count }
        }
        return FundingAccount(accountNumber: candidates[index], expiry: expiry)
    }
}
