import ApplePay
import ApplePaySandbox
import ArgumentParser
import JSON
import Payments

/// `tollgate token mint`: a token signed by the local authority of a data directory.
struct TokenMintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mint",
        abstract: "Mint an EC_v1 token for a merchant, signed by the local authority of a data directory.",
        discussion: """
            The token is signed at the time of the gateway that last ran on the data directory, unless --at says \
            otherwise. What is printed is PKPaymentToken.paymentData, or with --request a whole request to send.
            """)

    @Option(help: ArgumentHelp("The data directory.", valueName: "folder"))
    var data: String = DataDirectory.defaultPath

    @Option(help: ArgumentHelp("The configuration folder that names the merchant's keys.", valueName: "folder"))
    var config: String?

    @Option(help: ArgumentHelp("The merchant that the token is for.", valueName: "id"))
    var merchant: String = SandboxFiles.merchantName

    @OptionGroup var total: TotalOptions

    @Option(help: ArgumentHelp("The device account number.", valueName: "digits"))
    var pan: String = "5123450000000008"

    @Option(help: ArgumentHelp("Its expiry date.", valueName: "YYMMDD"))
    var expiry: String = "391231"

    @Option(help: ArgumentHelp("The cryptogram; 20 random bytes if it is not given.", valueName: "base64"))
    var cryptogram: String?

    @Option(
        help: ArgumentHelp("The electronic commerce indicator; 7 for Visa if it is not given.", valueName: "digits"))
    var eci: String?

    @Option(help: ArgumentHelp("The name on the card.", valueName: "text"))
    var name: String?

    @Option(help: ArgumentHelp("What the payment request had as applicationData.", valueName: "text"))
    var applicationData: String?

    @Option(
        help: ArgumentHelp("When the token is signed, an instant in UTC from 2014 to 2049.", valueName: "time"),
        transform: Instant.option)
    var at: Instant?

    @Option(help: ArgumentHelp("Print a whole request for this operation, AUTHORIZE or PAY.", valueName: "operation"))
    var request: String?

    func run() throws {
        guard let amount = try total.total() else { throw ValidationError("--amount and --currency are missing") }
        let operation = try request.map { name in
            guard let operation = Authorize.Operation(rawValue: name) else {
                throw ValidationError("--request \(name): AUTHORIZE or PAY")
            }
            return operation
        }
        let directory = try DataDirectory(data)
        let sandbox = try directory.sandbox()
        let key = try recipient(sandbox)
        guard let merchantIdentifierHash = key.merchantIdentifierHash else {
            throw Failure("\(merchant): no merchant identifier is configured")
        }
        let order = try order(for: amount, at: try at ?? directory.clock().now())
        let token = try TokenMint(sandbox.authority).mint(
            order,
            for: TokenMint.Recipient(publicKey: key.publicKey, merchantIdentifierHash: merchantIdentifierHash))
        let output = operation.map { Self.body(of: $0, amount, token) } ?? token
        StandardOutput.write(output + [UInt8(ascii: "\n")])
    }

    /// The key that the merchant opens tokens with.
    private func recipient(_ sandbox: SandboxFiles) throws -> PaymentProcessingKey {
        let merchants = try ConfigurationDirectory(config).merchants { sandbox }
        if let configured = merchants.first(where: { $0.merchant.id.description == merchant }),
            let key = configured.newestKey
        {
            return key
        }
        guard merchant == SandboxFiles.merchantName else {
            throw Failure("\(merchant): no such merchant with an Apple Pay key in the configuration; see --config")
        }
        return sandbox.key
    }

    private func order(for amount: Amount, at signingTime: Instant) throws -> MintOrder {
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
        order.cardholderName = name
        order.applicationData = applicationData.map { Array($0.utf8) }
        return order
    }

    /// A request as merchants send it, with the token as the string that the gateway wants.
    private static func body(of operation: Authorize.Operation, _ amount: Amount, _ token: [UInt8]) -> [UInt8] {
        let card: JSONValue = ["devicePayment": ["paymentToken": .string(String(decoding: token, as: UTF8.self))]]
        let request: JSONValue = [
            "apiOperation": .string(operation.rawValue),
            "order": [
                "amount": .string(amount.description), "currency": .string(amount.currency.code),
                "walletProvider": "APPLE_PAY",
            ],
            "sourceOfFunds": ["provided": ["card": card], "type": "CARD"],
            "transaction": ["source": "INTERNET"],
        ]
        return request.serialized()
    }
}
