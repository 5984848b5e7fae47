import ApplePay
import ApplePaySandbox
import ArgumentParser
import JSON
import Payments

/// `tollgate token mint`: a token signed by the local authority of a data directory.
struct TokenMintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mint",
        abstract: "Mint a token for a merchant, signed by the local authority of a data directory.",
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

    @Option(
        name: .customLong("version"),
        help: ArgumentHelp("EC_v1, or RSA_v1 for a merchant with an RSA key (default: EC_v1).", valueName: "version"),
        transform: TokenVersion.option)
    var namedVersion: TokenVersion?

    private var version: TokenVersion { namedVersion ?? .ellipticCurve }

    @OptionGroup var total: TotalOptions

    @OptionGroup var content: MintOptions

    @Option(
        help: ArgumentHelp("When the token is signed, an instant in UTC from 2014 to 2049.", valueName: "time"),
        transform: Instant.option)
    var at: Instant?

    @Option(help: ArgumentHelp("Print a whole request for this operation, AUTHORIZE or PAY.", valueName: "operation"))
    var request: String?

    @Option(help: ArgumentHelp("Give the token exactly this defect; see --list-defects.", valueName: "name"))
    var defect: String?

    @Flag(help: "List the defects: name, the step that refuses it, and what is wrong.")
    var listDefects = false

    func run() throws {
        guard !listDefects else { return StandardOutput.write(Array(DefectTable().description.utf8)) }
        guard let amount = try total.total() else { throw ValidationError("--amount and --currency are missing") }
        let operation = try request.map { name in
            guard let operation = Authorize.Operation(rawValue: name) else {
                throw ValidationError("--request \(name): AUTHORIZE or PAY")
            }
            return operation
        }
        let directory = try DataDirectory(data)
        let order = try content.order(for: amount, version, at: try at ?? directory.clock().now())
        let defect = try namedDefect(for: order)
        let sandbox = try directory.sandbox()
        let token = try TokenMint(sandbox.authority).mint(order, for: try recipient(sandbox), defect: defect)
        let output = operation.map { Self.body(of: $0, amount, token) } ?? token
        StandardOutput.write(output + [UInt8(ascii: "\n")])
    }

    private func namedDefect(for order: MintOrder) throws -> MintDefect? {
        guard let defect else { return nil }
        guard let named = MintDefect(rawValue: defect) else {
            throw ValidationError("--defect \(defect): no such defect; --list-defects prints them")
        }
        if let requirement = named.requirement, !requirement.isMet(by: order, version) {
            throw ValidationError("--defect \(defect): only a token that is \(requirement) can have it")
        }
        return named
    }

    /// The merchant's key for the version; where there are several, the last one, which is the newest while certificates are
    /// being changed.
    private func recipient(_ sandbox: SandboxFiles) throws -> TokenMint.Recipient {
        let configured = try ConfigurationDirectory(config).merchants(readingPasswords: false) { sandbox }
            .first { $0.merchant.id.description == merchant }
        var keys = configured?.merchant.applePay?.keys ?? []
        if keys.isEmpty, merchant == SandboxFiles.merchantName { keys = sandbox.keys }
        guard !keys.isEmpty else {
            throw Failure("\(merchant): no such merchant with an Apple Pay key in the configuration; see --config")
        }
        guard let key = keys.last(where: { $0.tokenVersion == version }) else {
            throw Failure("\(merchant): none of its keys is for \(version.rawValue)")
        }
        guard let merchantIdentifierHash = key.merchantIdentifierHash else {
            throw Failure("\(merchant): no merchant identifier is configured")
        }
        return try TokenMint.Recipient(publicKey: key.publicKey, merchantIdentifierHash: merchantIdentifierHash)
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

extension TokenVersion {
    /// Reads an option's `EC_v1` or `RSA_v1`.
    fileprivate static func option(_ text: String) throws -> TokenVersion {
        guard let version = TokenVersion(rawValue: text) else {
            throw ValidationError("\(text): EC_v1 or RSA_v1 is wanted")
        }
        return version
    }
}

/// The defects that can be minted, a line each.
struct DefectTable: CustomStringConvertible {
    let description: String

    init() {
        let nameWidth = MintDefect.allCases.map(\.rawValue.count).max() ?? 0
        let stepWidth = TokenStep.allCases.map(\.rawValue.count).max() ?? 0
        description = MintDefect.allCases.map { defect in
            let note = defect.requirement.map { " (only: \($0))" } ?? ""
            return defect.rawValue.padded(to: nameWidth) + "  "
                + defect.refusingStep.rawValue.padded(to: stepWidth) + "  " + defect.summary + note + "\n"
        }.joined()
    }
}
