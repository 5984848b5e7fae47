public import ApplePaySandbox
public import Payments
public import Values

/// The parts of the gateway that the control API controls.
public struct ControlledGateway: Sendable {
    /// The store of orders and transactions.
    public let store: any PaymentStore
    /// The store's lists of orders.
    public let orders: any OrderListing
    /// Operations that are performed in place of a merchant.
    public let operations: MerchantOperations
    /// Forgets one merchant.
    public let merchantReset: MerchantReset
    /// The current merchants.
    public let merchants: MerchantDirectory
    /// The sandbox, if there is one.
    public let sandbox: Sandbox?
    /// The gateway's clock.
    public let clock: SettableClock
    /// The source of the gateway's numbers and identifiers.
    public let references: ReferenceGenerator
    /// The reports of refused tokens.
    public let reports: ReportArchive
    /// The latest requests.
    public let requests: RequestLog
    /// The events of the gateway.
    public let events: EventLog
    /// The scripted outcomes of the next operations.
    public let outcomes: OutcomeRegister
    /// The acquirer, which answers operations and lists the possible outcomes.
    public let acquirer: any SteerableAcquirer
    /// Whether Radial's API is open to a merchant.
    public let isRadialStore: @Sendable (Merchant) -> Bool
    /// The description of the interface, `openapi.yaml`; nil if it can't be read.
    public let openAPI: @Sendable () -> [UInt8]?

    /// Creates the collection of the parts.
    public init(
        store: any PaymentStore & OrderListing, merchantReset: MerchantReset, operations: MerchantOperations,
        merchants: MerchantDirectory, sandbox: Sandbox?, clock: SettableClock, references: ReferenceGenerator,
        reports: ReportArchive, requests: RequestLog, events: EventLog, outcomes: OutcomeRegister,
        acquirer: any SteerableAcquirer, isRadialStore: @escaping @Sendable (Merchant) -> Bool,
        openAPI: @escaping @Sendable () -> [UInt8]?
    ) {
        self.store = store
        self.merchantReset = merchantReset
        orders = store
        self.operations = operations
        self.events = events
        self.merchants = merchants
        self.sandbox = sandbox
        self.clock = clock
        self.references = references
        self.reports = reports
        self.requests = requests
        self.outcomes = outcomes
        self.acquirer = acquirer
        self.isRadialStore = isRadialStore
        self.openAPI = openAPI
    }
}

/// The local authority, and the merchant whose password may be shown.
public struct Sandbox: Sendable {
    /// Signs the tokens that are minted.
    public let authority: LocalAuthority
    /// The sandbox merchant.
    public let merchant: MerchantID
    /// Its API password.
    public let password: String
    /// The merchant identifier that its tokens are bound to.
    public let merchantIdentifier: String
    /// Its Payment Processing Certificate for `EC_v1`, PEM.
    public let certificate: String

    /// The suggested currency for clients without a preference; the sandbox merchant accepts all currencies.
    static let currency = "USD"

    /// Creates a sandbox.
    public init(
        authority: LocalAuthority, merchant: MerchantID, password: String, merchantIdentifier: String,
        certificate: String
    ) {
        self.authority = authority
        self.merchant = merchant
        self.password = password
        self.merchantIdentifier = merchantIdentifier
        self.certificate = certificate
    }
}
