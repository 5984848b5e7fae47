import ApplePay
import ApplePaySandbox
import ArgumentParser
import JSON
internal import Payments
import Values

/// `tollgate token inspect`: checks a token step by step and reports the first fault.
struct TokenInspect: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Judge a payment token step by step; exit 0 only if no step failed.",
        discussion: """
            FILE holds the token: PKPaymentToken.paymentData, a whole PKPaymentToken, or a JSON string of either. \
            Apple Root CA - G3 is always accepted, with Apple's sandbox; further roots are named with --root. \
            With --data the token is judged at the time of the gateway that last ran on the data directory, unless \
            --at says otherwise.
            """)

    @Argument(help: ArgumentHelp("The token's file, or - for standard input.", valueName: "file"))
    var file: String

    @Option(help: ArgumentHelp("The merchant's private key; without one nothing is decrypted.", valueName: "pem"))
    var key: String?

    @Option(help: ArgumentHelp("The merchant's Payment Processing Certificate, PEM or DER.", valueName: "file"))
    var certificate: String?

    @Option(help: ArgumentHelp("The merchant identifier, if there is no certificate.", valueName: "text"))
    var merchantIdentifier: String?

    @Option(help: ArgumentHelp("A further root to accept; may be repeated.", valueName: "pem"))
    var root: [String] = []

    @Option(
        help: ArgumentHelp(
            "A data directory, for tokens that Tollgate minted for its sandbox merchant.", valueName: "folder"))
    var data: String?

    @Option(help: ArgumentHelp("The folder with the keys, if it is another one.", valueName: "folder"))
    var keysFolder: String?

    @Option(help: ArgumentHelp("When the transaction takes place: an instant in UTC, or `signing`.", valueName: "time"))
    var at: TransactionTime = .now

    @OptionGroup var total: TotalOptions

    @OptionGroup var applicationData: ApplicationDataOptions

    @Option(
        help: ArgumentHelp("The submerchant whose part of the payment is compared with --amount.", valueName: "id"))
    var subMerchant: String?

    @Flag(help: "Show the decrypted payment data unmasked.")
    var reveal = false

    @Flag(help: "Print JSON.")
    var json = false

    @Option(help: ArgumentHelp("The configuration folder with trust/AppleRootCA-G3.pem.", valueName: "folder"))
    var config: String?

    func validate() throws {
        guard key != nil || (certificate == nil && merchantIdentifier == nil) else {
            throw ValidationError("--certificate and --merchant-identifier need --key")
        }
        guard keysFolder == nil || data != nil else { throw ValidationError("--keys-folder needs --data") }
        _ = try total.total()
        _ = try applicationData.policy()
    }

    func run() throws {
        let content = try File.read(file, byteCountMax: 1 << 20)
        let token = content.withUnsafeBytes { TokenRequest.token(in: $0) } ?? content
        let directory = try data.map { path in
            guard File.exists(path) else { throw Failure("\(path): no such data directory") }
            return try DataDirectory(path, keysFolder: keysFolder)
        }
        let sandbox = try directory?.sandbox()
        let moment = try at.moment { try directory?.clock().now() ?? SystemClock.now() }
        let opener = TokenOpener(keys: try keys() + (sandbox?.keys ?? []), trust: try trust(sandbox))
        let details = try TransactionDetails(
            total: total.total().map {
                TransactionDetails.Total(currencyCode: $0.currency.numericCode, amountMinorUnits: $0.minorUnits)
            }, applicationData: applicationData.policy(), payee: subMerchant.map(Payee.submerchant) ?? .whole)
        let report = token.withUnsafeBytes {
            opener.open($0, at: moment, expecting: details.isEmpty ? nil : details)
        }
        if json {
            StandardOutput.write(report.json(revealing: reveal).serialized() + [UInt8(ascii: "\n")])
        } else {
            StandardOutput.write(Array(ReportTable(report, revealing: reveal, style: .standardOutput).description.utf8))
        }
        if report.verdict == .rejected { throw ExitCode.failure }
    }

    private func keys() throws -> [PaymentProcessingKey] {
        guard let key else { return [] }
        return [
            try KeyFiles.key(
                privateKey: key, certificate: certificate, merchantIdentifier: merchantIdentifier, users: .anyone)
        ]
    }

    private func trust(_ sandbox: SandboxFiles?) throws -> TrustPolicy {
        let apple = try ConfigurationDirectory(config).appleRoot()
        let further = try root.map { try KeyFiles.certificate($0) } + (sandbox.map { [$0.authority.root] } ?? [])
        return try TrustPolicy(anchors: [apple] + further.map { .local($0) }, acceptsAppleSandbox: true)
    }
}

/// The application data of the payment request, as command options.
struct ApplicationDataOptions: ParsableArguments {
    @Option(help: ArgumentHelp("What the payment request had as applicationData.", valueName: "text"))
    var applicationData: String?

    @Option(help: ArgumentHelp("The SHA-256 of what it had.", valueName: "hex"))
    var applicationDataHash: String?

    @Flag(help: "The payment request had no applicationData.")
    var noApplicationData = false

    /// The check of the token's application data. At most one of the three options may be given.
    func policy() throws -> ApplicationDataPolicy {
        switch (applicationData, applicationDataHash, noApplicationData) {
        case (nil, nil, false): return .notCompared
        case (nil, nil, true): return .absent
        case (.some(let text), nil, false): return .bytes(Array(text.utf8))
        case (nil, .some(let text), false):
            guard let hash = Hexadecimal.decoded(Array(text.utf8)), hash.count == 32 else {
                throw ValidationError("--application-data-hash: not the 64 hexadecimal digits of a SHA-256")
            }
            return .hash(hash)
        default:
            throw ValidationError(
                "--application-data, --application-data-hash and --no-application-data exclude each other")
        }
    }
}

/// The time of a token's transaction, as given by the option `--at`.
enum TransactionTime: ExpressibleByArgument {
    case now
    case instant(Instant)
    case signing

    init?(argument: String) {
        if argument == "signing" {
            self = .signing
        } else if let instant = Instant(rfc3339: argument) {
            self = .instant(instant)
        } else {
            return nil
        }
    }

    var defaultValueDescription: String { "now" }

    /// The moment for which the token is checked.
    ///
    /// - Parameter now: returns the present instant on the applicable clock.
    func moment(_ now: () throws -> Instant) rethrows -> TokenOpener.Moment {
        switch self {
        case .now: .transaction(try now())
        case .instant(let instant): .transaction(instant)
        case .signing: .signing
        }
    }
}
