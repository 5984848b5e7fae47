import ApplePaySandbox
import ArgumentParser
import Payments

/// The contents of a minted token, as command options.
struct MintOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The type of the payment data, EMV or (default) 3DSecure.", valueName: "type"),
        transform: MintSpecification.PaymentDataType.option)
    var type: MintSpecification.PaymentDataType = .threeDSecure

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

    /// The specification of the token, in a currency and with at most one defect.
    func specification(in currency: Currency, defect: String?) throws -> MintSpecification {
        var specification = MintSpecification()
        specification.type = type
        specification.accountNumber = pan
        specification.expirationDate = expiry
        specification.onlinePaymentCryptogram = cryptogram
        specification.eciIndicator = eci
        specification.emvData = emvData
        specification.encryptedPINData = pinData
        specification.cardholderName = name
        specification.applicationData = applicationData
        specification.submerchants = try subMerchant.map { try submerchant($0, currency) }
        specification.merchantTokenIdentifier = merchantToken
        specification.defect = defect
        return specification
    }

    private func submerchant(_ text: String, _ currency: Currency) throws -> MintSpecification.Submerchant {
        // An identifier may contain `=`; an amount never does.
        guard let sign = text.lastIndex(of: "="), sign > text.startIndex,
            let amount = try? Amount(String(text[text.index(after: sign)...]), currency)
        else { throw ValidationError("--sub-merchant \(text): an identifier, =, and an amount of \(currency.code)") }
        return (String(text[..<sign]), amount.minorUnits)
    }
}

extension MintSpecification.PaymentDataType {
    /// Reads an option's `3DSecure` or `EMV`.
    fileprivate static func option(_ text: String) throws -> MintSpecification.PaymentDataType {
        guard let type = MintSpecification.PaymentDataType(rawValue: text) else {
            throw ValidationError("\(text): expected 3DSecure or EMV")
        }
        return type
    }
}

extension MintSpecification.Word {
    /// The command option that sets this value.
    private var option: String {
        switch self {
        case .accountNumber: "--pan"
        case .expirationDate: "--expiry"
        case .onlinePaymentCryptogram: "--cryptogram"
        case .eciIndicator: "--eci"
        case .emvData: "--emv-data"
        case .encryptedPINData: "--pin-data"
        case .defect: "--defect"
        case .signingTime: "--at"
        }
    }

    /// The error message for a fault.
    func failure(_ finding: String) -> ValidationError { ValidationError("\(option): \(finding)") }
}
