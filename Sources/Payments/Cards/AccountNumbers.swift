public import Values
public import Vault

/// The unmasked account numbers of a payment, for a merchant with the privilege to see them.
public struct AccountNumbers: Equatable, Sendable {
    /// `card.number`: the number of a plain card, or of the account that funds a device's (FPAN) if the issuer returned
    /// it.
    public let number: AccountNumber?
    /// `card.deviceSpecificNumber`, the device account number (DPAN), if a device paid.
    public let deviceNumber: AccountNumber?

    /// The numbers of the card that paid and, if a device paid, of its funding account.
    init(_ card: Card, fundingAccount: FundingAccount?) {
        number = card.devicePayment == nil ? card.accountNumber : fundingAccount?.accountNumber
        deviceNumber = card.devicePayment == nil ? nil : card.accountNumber
    }

    /// The plaintext to seal: the digits of both numbers with a space between them.
    fileprivate var text: SecretBytes {
        SecretBytes(count: (number?.count ?? 0) + 1 + (deviceNumber?.count ?? 0)) { text in
            var count = 0
            func append(_ digits: some Sequence<UInt8>) {
                for digit in digits {
                    text[count] = digit
                    count += 1
                }
            }
            number?.withDigits { append($0) }
            append(CollectionOfOne(UInt8(ascii: " ")))
            deviceNumber?.withDigits { append($0) }
        }
    }

    /// Parses ``text``; nil if it is malformed.
    fileprivate init?(_ text: SecretBytes) {
        let read = text.withUnsafeBytes { text -> (AccountNumber?, AccountNumber?)? in
            guard let space = text.firstIndex(of: UInt8(ascii: " ")) else { return nil }
            func number(_ digits: Slice<UnsafeRawBufferPointer>) throws(AccountNumber.Malformed) -> AccountNumber? {
                guard !digits.isEmpty else { return nil }
                return try AccountNumber(ascii: UnsafeRawBufferPointer(rebasing: digits), checkDigit: .any)
            }
            return try? (number(text[..<space]), number(text[(space + 1)...]))
        }
        guard let read else { return nil }
        (number, deviceNumber) = read
    }
}

extension CardSummary {
    /// The same card with unmasked numbers.
    func unmasked(_ numbers: AccountNumbers) -> CardSummary {
        var shown = self
        shown.number = numbers.number?.revealed() ?? number
        shown.device = device.map {
            DeviceCardSummary(
                number: numbers.deviceNumber?.revealed() ?? $0.number, expiry: $0.expiry,
                cryptogramFormat: $0.cryptogramFormat)
        }
        return shown
    }
}

extension SealingPurpose {
    /// The account numbers of an order's payments.
    public static let accountNumbers = SealingPurpose("account numbers")
}

extension KeyRing {
    /// Seals account numbers for an order.
    func seal(_ numbers: AccountNumbers, of order: OrderKey) -> [UInt8] {
        seal(numbers.text, for: SealedOwner(.accountNumbers, order))
    }

    /// Opens the account numbers of an order.
    func accountNumbers(_ sealed: [UInt8], of order: OrderKey) throws(SealingFault) -> AccountNumbers {
        guard let numbers = AccountNumbers(try open(sealed, of: SealedOwner(.accountNumbers, order))) else {
            throw .malformed
        }
        return numbers
    }
}
