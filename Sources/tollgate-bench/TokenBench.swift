import ApplePay
import ApplePaySandbox
import ArgumentParser
import JSON
import OpenSSL

/// `tollgate-bench token`: what opening a payment token costs, against the least that it can cost.
struct TokenBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Open minted tokens: the floor, ours with a known and an unknown chain, and the plain OpenSSL way.",
        discussion: """
            The floor of EC_v1 is one key agreement with the 65-byte point and one verification of an ECDSA signature \
            with a prepared key, and nothing else. The plain way is what most programs do: CMS_verify with the whole \
            chain, d2i_PUBKEY, and the same decryption. All are measured in turns in one run.
            """)

    @Option(help: "How many rounds of measuring.")
    var rounds = 7

    @Option(help: "Seconds a round and kind of work.")
    var seconds = 0.5

    @Option(help: "How many different tokens.")
    var tokens = 64

    @Flag(help: "Open tokens with a known chain for the given seconds and nothing else: for profilers.")
    var profile = false

    func run() throws {
        let batch = try TokenBatch(count: tokens)
        guard !profile else {
            _ = Stopwatch(rounds: 1, roundSeconds: seconds).measure([batch.ours])
            return
        }
        let measurements = Stopwatch(rounds: rounds, roundSeconds: seconds).measure([
            batch.floor, batch.ours, batch.oursWithUnknownChain, batch.plainOpenSSL,
        ])
        let floor = measurements[0].cpuMicroseconds
        print("EC_v1, \(tokens) tokens of \(batch.averageBytes) bytes each on average\n")
        print(Self.row("", "CPU µs", "× floor", "1 core/s", "all cores/s"))
        for each in measurements {
            print(
                Self.row(
                    each.name, Self.decimal(each.cpuMicroseconds, 1), Self.decimal(each.cpuMicroseconds / floor, 2),
                    Self.decimal(each.perSecondOnOneCore, 0), Self.decimal(each.perSecondOnAllCores, 0)))
        }
        let gain = measurements[3].cpuMicroseconds / measurements[1].cpuMicroseconds
        print("\nours is \(Self.decimal(gain, 1)) × faster than the plain OpenSSL way")
    }

    private static func row(_ name: String, _ columns: String...) -> String {
        columns.reduce(name + String(repeating: " ", count: max(0, 28 - name.count))) { line, column in
            line + String(repeating: " ", count: max(1, 12 - column.count)) + column
        }
    }

    private static func decimal(_ value: Double, _ decimals: Int) -> String {
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        let scaled = Int((value * scale).rounded())
        guard decimals > 0 else { return String(scaled) }
        let fraction = String(scaled % Int(scale))
        return "\(scaled / Int(scale))." + String(repeating: "0", count: decimals - fraction.count) + fraction
    }
}

/// Minted tokens, and the kinds of work that open one.
private struct TokenBatch: Sendable {
    private let texts: [[UInt8]]
    private let parts: [TokenParts]
    private let authority: LocalAuthority
    private let privateKey: PrivateKey
    private let opener: TokenOpener
    private let key: PaymentProcessingKey
    private static let instant = Instant(secondsSinceEpoch: 1_630_522_990)

    var averageBytes: Int { texts.map(\.count).reduce(0, +) / texts.count }

    init(count: Int) throws {
        authority = try LocalAuthority.make()
        privateKey = try PrivateKey.generate(.p256)
        key = try PaymentProcessingKey(privateKey: privateKey, merchantIdentifier: "merchant.example")
        opener = TokenOpener(keys: [key], trust: try Self.trust(authority))
        let recipient = try TokenMint.Recipient(
            publicKey: key.publicKey, merchantIdentifierHash: key.merchantIdentifierHash ?? [])
        let mint = TokenMint(authority)
        texts = try (0..<count).map { number in
            guard let expiry = ApplicationExpirationDate(yymmdd: Array("391231".utf8)) else {
                preconditionFailure("a date of our own")
            }
            let order = MintOrder(
                accountNumber: try AccountNumber("5123450000000008"), expirationDate: expiry, currencyCode: "840",
                amountMinorUnits: Int64(100 + number), signingTime: Self.instant)
            return try mint.mint(order, for: recipient)
        }
        parts = try texts.map(TokenParts.init)
    }

    private static func trust(_ authority: LocalAuthority) throws -> TrustPolicy {
        try TrustPolicy(anchors: [.local(authority.root)], acceptsAppleSandbox: false)
    }

    /// One key agreement and one verification, and nothing else.
    var floor: Stopwatch.Work {
        let signed = Array("attributes that were signed".utf8) + [UInt8](repeating: 0, count: 120)
        guard let signature = try? authority.signer.key.sign(signed) else { preconditionFailure("a key of our own") }
        let signerKey = authority.signer.key.publicKey
        return Stopwatch.Work(name: "floor") { [parts, privateKey] number in
            let secret = try? privateKey.sharedSecret(withPoint: parts[number % parts.count].point)
            let isValid: Void? = signature.withUnsafeBytes { signature in
                signed.withUnsafeBytes { try? signerKey.verify(signature, of: $0) }
            }
            precondition(secret != nil && isValid != nil, "both succeed")
        }
    }

    /// From the token's text to payment data; the chain was seen before.
    var ours: Stopwatch.Work {
        Stopwatch.Work(name: "ours, known chain") { [texts, opener] number in
            Self.open(texts[number % texts.count], opener)
        }
    }

    /// The same with a trust policy that has never seen the chain.
    var oursWithUnknownChain: Stopwatch.Work {
        Stopwatch.Work(name: "ours, unknown chain") { [texts, key, authority] number in
            guard let trust = try? Self.trust(authority) else { preconditionFailure("a root of our own") }
            Self.open(texts[number % texts.count], TokenOpener(keys: [key], trust: trust))
        }
    }

    private static func open(_ text: [UInt8], _ opener: TokenOpener) {
        let report = text.withUnsafeBytes { opener.open($0, at: .transaction(instant), expecting: nil) }
        precondition(report.opened != nil, "a good token")
    }

    /// `CMS_verify` with the whole chain, `d2i_PUBKEY`, and the same key derivation and decryption.
    var plainOpenSSL: Stopwatch.Work {
        Stopwatch.Work(name: "plain OpenSSL") { [texts, key, privateKey, authority] number in
            do {
                let token = try TokenParts(texts[number % texts.count])
                try DetachedSignature.verify(
                    token.signature, of: token.signedContent, roots: [authority.root],
                    atSecondsSinceEpoch: Self.instant.secondsSinceEpoch)
                let peer = try PublicKey(subjectPublicKeyInfo: token.ephemeralPublicKey)
                let symmetricKey = KeyDerivation.key(
                    sharedSecret: try privateKey.sharedSecret(withPoint: peer.encodedPoint()),
                    merchantIdentifierHash: key.merchantIdentifierHash ?? [])
                let plaintext = try AESGCM.open(
                    token.data, key: symmetricKey, iv: [UInt8](repeating: 0, count: 16))
                _ = try plaintext.withUnsafeBytes { try JSONDocument($0) }
            } catch {
                preconditionFailure("a good token: \(error)")
            }
        }
    }
}

/// A token's members, decoded the plain way.
private struct TokenParts: Sendable {
    let data: [UInt8]
    let signature: [UInt8]
    let ephemeralPublicKey: [UInt8]
    let transactionId: [UInt8]

    struct Malformed: Error {}

    init(_ text: [UInt8]) throws {
        let token = try JSONDocument(text).root
        func base64(_ node: JSONNode?) throws -> [UInt8] {
            guard let text = node?.string, let bytes = Base64.decoded(text) else { throw Malformed() }
            return bytes
        }
        data = try base64(token["data"])
        signature = try base64(token["signature"])
        ephemeralPublicKey = try base64(token["header"]?["ephemeralPublicKey"])
        guard let identifier = token["header"]?["transactionId"]?.string,
            let bytes = Hexadecimal.decoded(Array(identifier.utf8))
        else { throw Malformed() }
        transactionId = bytes
    }

    var point: [UInt8] { Array(ephemeralPublicKey.suffix(65)) }
    var signedContent: [UInt8] { ephemeralPublicKey + data + transactionId }
}
