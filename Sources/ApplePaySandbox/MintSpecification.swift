public import ApplePay
public import Values

/// What a minted token is to hold, in the words of whoever asks for it. The words are judged when an order is made of them.
public struct MintSpecification: Sendable {
    /// `paymentDataType`.
    public enum PaymentDataType: String, CaseIterable, Sendable {
        /// A cryptogram with its indicator.
        case threeDSecure = "3DSecure"
        /// The Secure Element's EMV data.
        case emv = "EMV"
    }

    /// A submerchant with its part of the amount, in minor units of the currency.
    public typealias Submerchant = (merchantIdentifier: String, amountMinorUnits: Int64)

    /// The type of the payment data.
    public var type = PaymentDataType.threeDSecure
    /// The device account number, digits.
    public var accountNumber = "5123450000000008"
    /// Its expiry date, `YYMMDD`.
    public var expirationDate = "391231"
    /// The cryptogram in base64; 20 random bytes unless one is named.
    public var onlinePaymentCryptogram: String?
    /// The electronic commerce indicator, one or two digits; 7 for Visa unless one is named.
    public var eciIndicator: String?
    /// What the Secure Element gave, base64; made up for a token of type EMV unless it is named.
    public var emvData: String?
    /// The encrypted PIN, hexadecimal; of a token of type EMV in `RSA_v1`.
    public var encryptedPINData: String?
    /// The name on the card.
    public var cardholderName: String?
    /// What the payment request had as applicationData.
    public var applicationData: String?
    /// The submerchants, if the token is to be for several.
    public var submerchants: [Submerchant] = []
    /// The merchant token that the payment is for.
    public var merchantTokenIdentifier: String?
    /// The defect's name, if the token is to have one.
    public var defect: String?

    /// The words that a fault can be about.
    public enum Word: CaseIterable, Sendable {
        case accountNumber, expirationDate, onlinePaymentCryptogram, eciIndicator, emvData, encryptedPINData, defect
        case signingTime
    }

    /// Why no token can be made of the words; the finding never repeats card data.
    public struct Fault: Error, Equatable, Sendable {
        /// Which word is wrong.
        public let word: Word
        /// What is wrong with it.
        public let finding: String
    }

    /// The years in which the local authority's certificates are valid as a whole.
    public static let yearsOfSigning = 2014...2049

    /// A Mastercard test number's token without a defect.
    public init() {}

    /// The order for a token of one version over an amount, signed at an instant.
    ///
    /// - Parameters:
    ///   - amountMinorUnits: the amount in minor units of the currency.
    ///   - currencyCode: ISO 4217's numeric code, three digits.
    public func order(
        amountMinorUnits: Int64, currencyCode: String, _ version: TokenVersion, at signingTime: Instant
    ) throws(Fault) -> MintOrder {
        guard Self.yearsOfSigning.contains(signingTime.fields.year) else {
            throw Fault(word: .signingTime, finding: "the local authority is valid from 2014 to 2049")
        }
        guard let date = ApplicationExpirationDate(yymmdd: Array(expirationDate.utf8)) else {
            throw Fault(word: .expirationDate, finding: "not a date YYMMDD")
        }
        guard let number = try? AccountNumber(accountNumber) else {
            throw Fault(
                word: .accountNumber, finding: "not an account number of 8 to 19 digits with its check digit")
        }
        var order = MintOrder(
            accountNumber: number, expirationDate: date, currencyCode: currencyCode,
            amountMinorUnits: amountMinorUnits, signingTime: signingTime)
        switch type {
        case .threeDSecure: try putThreeDSecure(into: &order)
        case .emv: order.emvPayment = try emvPayment(version)
        }
        order.cardholderName = cardholderName
        order.applicationData = applicationData.map { Array($0.utf8) }
        order.submerchants = submerchants.map {
            MintOrder.Submerchant(merchantIdentifier: $0.merchantIdentifier, amountMinorUnits: $0.amountMinorUnits)
        }
        order.merchantToken = merchantTokenIdentifier.map { identifier in
            MintOrder.MerchantToken(
                identifier: SecretText(identifier), fpanSuffix: String(accountNumber.suffix(4)),
                expirationDate: "\(expirationDate.dropFirst(2).prefix(2))/\(expirationDate.prefix(2))")
        }
        return order
    }

    /// The defect that is named, if one is and a token of `order` can have it.
    public func namedDefect(of order: MintOrder, _ version: TokenVersion) throws(Fault) -> MintDefect? {
        guard let defect else { return nil }
        guard let named = MintDefect(rawValue: defect) else {
            let names = MintDefect.allCases.map(\.rawValue).joined(separator: ", ")
            throw Fault(word: .defect, finding: "there is no defect of this name; the defects are \(names)")
        }
        if let requirement = named.requirement, !requirement.isMet(by: order, version) {
            throw Fault(word: .defect, finding: "only a token that is \(requirement) can have it")
        }
        return named
    }

    private func putThreeDSecure(into order: inout MintOrder) throws(Fault) {
        for (text, word) in [(emvData, Word.emvData), (encryptedPINData, .encryptedPINData)] where text != nil {
            throw Fault(word: word, finding: "only a token of type EMV has it")
        }
        if let onlinePaymentCryptogram {
            guard SecretText(onlinePaymentCryptogram).withUTF8({ Base64.byteCount(ofSecret: $0) }) ?? 0 > 0 else {
                throw Fault(word: .onlinePaymentCryptogram, finding: "not base64")
            }
            order.onlinePaymentCryptogram = SecretText(onlinePaymentCryptogram)
        }
        if let eciIndicator {
            guard (1...2).contains(eciIndicator.utf8.count),
                eciIndicator.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
            else { throw Fault(word: .eciIndicator, finding: "one or two digits are wanted") }
            order.eciIndicator = eciIndicator
        }
    }

    private func emvPayment(_ version: TokenVersion) throws(Fault) -> MintOrder.EMVPayment {
        for (text, word) in [(onlinePaymentCryptogram, Word.onlinePaymentCryptogram), (eciIndicator, .eciIndicator)]
        where text != nil {
            throw Fault(word: word, finding: "only a token of type 3DSecure has it")
        }
        if let emvData {
            guard SecretText(emvData).withUTF8({ Base64.byteCount(ofSecret: $0) }) ?? 0 > 0 else {
                throw Fault(word: .emvData, finding: "not base64")
            }
        }
        if let encryptedPINData {
            guard version == .rsa else {
                throw Fault(word: .encryptedPINData, finding: "Apple documents it for RSA_v1 only")
            }
            guard !encryptedPINData.isEmpty, Hexadecimal.isWellFormed(encryptedPINData.utf8) else {
                throw Fault(word: .encryptedPINData, finding: "not hexadecimal")
            }
        }
        return MintOrder.EMVPayment(
            emvData: emvData.map { SecretText($0) }, encryptedPINData: encryptedPINData.map { SecretText($0) })
    }
}
