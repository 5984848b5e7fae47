import ApplePay
import ApplePaySandbox
import ArgumentParser
import JSON
import Payments
import RadialAPI
import Values

/// `tollgate token mint`: mints a token signed by the local authority of a data directory.
struct TokenMintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mint",
        abstract: "Mint a token for a merchant, signed by the local authority of a data directory.",
        discussion: """
            The token is signed at the time of the gateway that last ran on the data directory, unless --at says \
            otherwise. What is printed is PKPaymentToken.paymentData, or with --request a whole request to send, or with \
            --format radial the element that Radial's requests have for it.
            """)

    @Option(help: ArgumentHelp("The data directory.", valueName: "folder"))
    var data: String = DataDirectory.defaultPath

    @Option(help: ArgumentHelp("The folder with the keys, if it is another one.", valueName: "folder"))
    var keysFolder: String?

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

    @Option(help: ArgumentHelp("json, or radial for the XML of WalletPaymentInformation.", valueName: "format"))
    var format: TokenFormat = .json

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
        guard operation == nil || format == .json else {
            throw ValidationError("--request and --format radial: a whole request is only printed as JSON")
        }
        // A misspelt folder would get a new authority, whose tokens no gateway accepts.
        let isMisspelt = keysFolder.map(File.exists) == false
        guard isMisspelt || File.exists("\(keysFolder ?? data)/\(DataDirectory.sandboxName)") else {
            throw Failure(
                "\(keysFolder ?? data): no gateway's data; name the data directory of the gateway with --data, or start one "
                    + "there first: tollgate serve --data \(ShellWord.quoted(data))")
        }
        let directory = try DataDirectory(data, keysFolder: keysFolder)
        let sandbox = try directory.sandbox()
        let recipient = try recipient(sandbox)
        let token: [UInt8]
        do {
            let specification = try content.specification(in: amount.currency, defect: defect)
            let order = try specification.order(
                amountMinorUnits: amount.minorUnits, currencyCode: amount.currency.numericCode, version,
                at: try at ?? directory.clock().now())
            token = try TokenMint(sandbox.authority).mint(
                order, for: recipient, defect: try specification.namedDefect(of: order, version))
        } catch let fault as MintSpecification.Fault {
            throw fault.word.failure(
                fault.word == .defect ? "\(defect ?? ""): \(fault.finding); see --list-defects" : fault.finding)
        }
        let output = operation.map { operation in
            TokenRequest.content(
                of: operation.rawValue, amount: amount.description, currency: amount.currency.code, token: token
            ).serialized()
        }
        switch format {
        case .json: StandardOutput.write((output ?? token) + [UInt8(ascii: "\n")])
        case .radial: StandardOutput.write(try TokenFormat.radialText(of: token))
        }
    }

    private func recipient(_ sandbox: SandboxFiles) throws -> TokenMint.Recipient {
        let configured = try ConfigurationDirectory(config).merchants(readingPasswords: false) { sandbox }
            .first { $0.merchant.id.description == merchant }
        var keys = configured?.merchant.applePay?.keys ?? []
        if keys.isEmpty, merchant == SandboxFiles.merchantName { keys = sandbox.keys }
        do { return try TokenMint.Recipient(ofKeys: keys, version) } catch {
            throw Failure("\(merchant): \(error.explanation)" + (error == .noKey ? "; see --config" : ""))
        }
    }
}

/// How a minted token is printed.
enum TokenFormat: String, ExpressibleByArgument {
    /// JSON, as Apple writes it.
    case json
    /// XML, as in Radial's requests.
    case radial

    fileprivate static func radialText(of token: [UInt8]) throws -> [UInt8] {
        do throws(WalletPaymentInformationText.Unwritable) {
            return try WalletPaymentInformationText.element(for: token)
        } catch {
            switch error {
            case .wrappedKey: throw ValidationError("--format radial: it has no element for the key of an RSA_v1 token")
            case .applicationData: throw ValidationError("--format radial: it has no element for applicationData")
            case .malformed: throw ValidationError("--format radial: the token can't be written as XML")
            }
        }
    }
}

extension TokenVersion {
    /// Reads an option's `EC_v1` or `RSA_v1`.
    fileprivate static func option(_ text: String) throws -> TokenVersion {
        guard let version = TokenVersion(rawValue: text) else {
            throw ValidationError("\(text): expected EC_v1 or RSA_v1")
        }
        return version
    }
}

/// The defects that can be minted, one line each.
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
