public import ApplePay
public import JSON
public import Payments
public import Values
public import Vault

/// An AUTHORIZE or PAY that a test changes where it matters.
public struct TestPayment: Sendable {
    /// The seed's Mastercard test number, as a device account number.
    public static let deviceAccountNumber = "5123450000000008"
    /// The seed's cryptogram.
    public static let cryptogram = "IA/8pdiWftSsxpFT6wABoDABhgA="
    /// The instant of the seed's sample.
    public static let instant = Instant(millisecondsSinceEpoch: 1_678_788_934_265)

    /// Which operation.
    public var operation: Authorize.Operation = .authorize
    /// The merchant's identifier.
    public var merchant = "TESTMERCHANT"
    /// The order.
    public var order = "order-1"
    /// The transaction.
    public var transaction = "1"
    /// The amount in units.
    public var amount = "30.10"
    /// The currency.
    public var currency = Currency.usd
    /// The currencies that the merchant accepts.
    public var currencies: Set<Currency>?
    /// What the merchant may ask for.
    public var privileges = Set<Privilege>.usual
    /// The canonical parameters; a request with others is another request.
    public var parameters = "the request"
    /// The members that replies echo.
    public var particulars: JSONValue = ["device": ["ani": "12341234"]]
    /// Where the money comes from; the seed's device card unless said.
    public var sourceOfFunds: SourceOfFunds?
    /// What opens the merchant's tokens.
    public var applePay: TokenOpener?

    /// The seed's second sample.
    public init() {}

    /// The seed's second sample, changed.
    public init<Failure: Error>(_ change: (inout TestPayment) throws(Failure) -> Void) throws(Failure) {
        try change(&self)
    }

    /// The order's key.
    public var key: OrderKey {
        get throws { OrderKey(merchant: try MerchantID(merchant), order: try OrderID(order)) }
    }

    /// The command.
    public var command: Command {
        get throws {
            .authorize(
                Authorize(
                    operation: operation, instruction: try instruction, amount: try Amount(amount, currency),
                    sourceOfFunds: try sourceOfFunds ?? .card(Self.deviceCard()), walletProvider: .applePay))
        }
    }

    /// What the command has in common with those of other operations.
    public var instruction: Instruction {
        get throws {
            Instruction(
                merchant: Merchant(
                    id: try MerchantID(merchant), passwords: [], applePay: applePay, currencies: currencies,
                    privileges: privileges),
                order: try OrderID(order), transaction: try TransactionID(transaction), source: nil,
                parameters: SecretText(parameters), particulars: particulars)
        }
    }

    /// The card of the seed's second sample: decrypted by the merchant.
    public static func deviceCard(_ number: String = deviceAccountNumber) throws -> Card {
        try Card(
            accountNumber: AccountNumber(number), expiry: expiry(),
            devicePayment: DevicePayment.threeDSecure(
                onlinePaymentCryptogram: SecretText(cryptogram), eciIndicator: "20"))
    }

    /// A card that no device is behind.
    public static func plainCard(_ number: String = deviceAccountNumber, name: String? = nil) throws -> Card {
        try Card(
            accountNumber: AccountNumber(number), expiry: expiry(), nameOnCard: name.map { SecretText($0) },
            securityCode: SecretText("100"))
    }

    private static func expiry() throws -> CardExpiry {
        guard let expiry = CardExpiry(month: 1, year: 39) else { throw NoSuchMonth() }
        return expiry
    }

    /// The expiry is none.
    public struct NoSuchMonth: Error {}
}

extension InstallationKey {
    /// The key 00 01 … 1F.
    public static var test: InstallationKey {
        get throws {
            guard let key = InstallationKey(SecretBytes((0..<32).map { UInt8($0) })) else { throw WrongLength() }
            return key
        }
    }

    /// The key has not 32 bytes.
    public struct WrongLength: Error {}
}

extension KeyRing {
    /// The keys 00 01 … 1F, 20 … 3F and so on, as many as said.
    public static func test(count: Int = 1) throws -> KeyRing {
        guard let ring = KeyRing(SecretBytes((0..<(count * 32)).map { UInt8(truncatingIfNeeded: $0) })) else {
            throw InstallationKey.WrongLength()
        }
        return ring
    }
}

extension Gateway {
    /// A gateway with a fixed key and fixed reference numbers: those of the seed's sample.
    public static func test(
        store: any PaymentStore, acquirer: any Acquirer, keys: KeyRing? = nil,
        report: @escaping @Sendable (StoreFailure) -> Void = { _ in }
    ) throws -> Gateway {
        Gateway(
            store: store, acquirer: acquirer, keys: try keys ?? .test(),
            references: ReferenceNumbers(
                systemTraceAuditNumber: { 46_465 }, acquirerTransactionID: { 447_345_902 }), report: report)
    }
}
