import ApplePay
import ApplePaySandbox
import ArgumentParser
import Payments

/// What a minted token is to hold, as options of a command.
struct MintOptions: ParsableArguments {
    /// `paymentDataType`.
    enum PaymentDataType: String, CaseIterable, ExpressibleByArgument {
        case threeDSecure = "3DSecure"
        case emv = "EMV"
    }

    @Option(help: ArgumentHelp("The type of the payment data, 3DSecure or EMV.", valueName: "type"))
    var type: PaymentDataType = .threeDSecure

    @Option(help: ArgumentHelp("The device account number.", valueName: "digits"))
    var pan: String = "5123450000000008"

    @Option(help: ArgumentHelp("Its expiry date.", valueName: "YYMMDD"))
    var expiry: String = "391231"

    @Option(help: ArgumentHelp("The cryptogram; 20 random bytes if it is not given.", valueName: "base64"))
    var cryptogram: String?

    @Option(
        help: ArgumentHelp("The electronic commerce indicator; 7 for Visa if it is not given.", valueName: "digits"))
    var eci: String?

    @Option(help: ArgumentHelp("What the Secure Element gave, for EMV; made up if not given.", valueName: "base64"))
    var emvData: String?

    @Option(help: ArgumentHelp("The encrypted PIN, for EMV in RSA_v1.", valueName: "hex"))
    var pinData: String?

    @Option(help: ArgumentHelp("The name on the card.", valueName: "text"))
    var name: String?

    @Option(help: ArgumentHelp("What the payment request had as applicationData.", valueName: "text"))
    var applicationData: String?

    @Option(
        help: ArgumentHelp("A submerchant with its part of the amount; may be repeated.", valueName: "id=amount"))
    var subMerchant: [String] = []

    @Option(help: ArgumentHelp("The merchant token that the payment is for.", valueName: "id"))
    var merchantToken: String?

    /// The order for a token of one version over `amount`, signed at an instant.
    func order(for amount: Amount, _ version: TokenVersion, at signingTime: Instant) throws -> MintOrder {
        guard (2014...2049).contains(signingTime.fields.year) else {
            throw ValidationError("--at \(signingTime): the local authority is valid from 2014 to 2049")
        }
        guard let expirationDate = ApplicationExpirationDate(yymmdd: Array(expiry.utf8)) else {
            throw ValidationError("--expiry: not a date YYMMDD")
        }
        guard let accountNumber = try? AccountNumber(pan) else {
            throw ValidationError("--pan: not an account number of 8 to 19 digits with its check digit")
        }
        var order = MintOrder(
            accountNumber: accountNumber, expirationDate: expirationDate, currencyCode: amount.currency.numericCode,
            amountMinorUnits: amount.minorUnits, signingTime: signingTime)
        switch type {
        case .threeDSecure: try putThreeDSecure(into: &order)
        case .emv: order.emvPayment = try emvPayment(version)
        }
        order.cardholderName = name
        order.applicationData = applicationData.map { Array($0.utf8) }
        order.submerchants = try subMerchant.map { try submerchant($0, amount.currency) }
        order.merchantToken = merchantToken.map { identifier in
            MintOrder.MerchantToken(
                identifier: SecretText(identifier), fpanSuffix: String(pan.suffix(4)),
                expirationDate: "\(expiry.dropFirst(2).prefix(2))/\(expiry.prefix(2))")
        }
        return order
    }

    private func putThreeDSecure(into order: inout MintOrder) throws {
        guard emvData == nil, pinData == nil else { throw ValidationError("--emv-data and --pin-data need --type EMV") }
        if let cryptogram {
            guard let bytes = Base64.decoded(cryptogram), !bytes.isEmpty else {
                throw ValidationError("--cryptogram: not base64")
            }
            order.onlinePaymentCryptogram = SecretText(cryptogram)
        }
        if let eci {
            guard (1...2).contains(eci.utf8.count), eci.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
                throw ValidationError("--eci: one or two digits")
            }
            order.eciIndicator = eci
        }
    }

    private func emvPayment(_ version: TokenVersion) throws -> MintOrder.EMVPayment {
        guard cryptogram == nil, eci == nil else {
            throw ValidationError("--cryptogram and --eci are of --type 3DSecure; EMV has --emv-data")
        }
        if let emvData {
            guard let bytes = Base64.decoded(emvData), !bytes.isEmpty else {
                throw ValidationError("--emv-data: not base64")
            }
        }
        if let pinData {
            guard version == .rsa else { throw ValidationError("--pin-data: Apple documents it for RSA_v1 only") }
            guard let bytes = Hexadecimal.decoded(Array(pinData.utf8)), !bytes.isEmpty else {
                throw ValidationError("--pin-data: not hexadecimal")
            }
        }
        return MintOrder.EMVPayment(
            emvData: emvData.map { SecretText($0) }, encryptedPINData: pinData.map { SecretText($0) })
    }

    private func submerchant(_ text: String, _ currency: Currency) throws -> MintOrder.Submerchant {
        // An identifier may hold the sign itself; an amount never does.
        guard let sign = text.lastIndex(of: "="), sign > text.startIndex,
            let amount = try? Amount(String(text[text.index(after: sign)...]), currency)
        else { throw ValidationError("--sub-merchant \(text): an identifier, =, and an amount of \(currency.code)") }
        return MintOrder.Submerchant(
            merchantIdentifier: String(text[..<sign]), amountMinorUnits: amount.minorUnits)
    }
}
