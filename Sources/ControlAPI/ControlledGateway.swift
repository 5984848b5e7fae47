public import ApplePaySandbox
public import Payments
public import Values

/// The parts of the gateway that the control API controls.
public struct ControlledGateway: Sendable {
    /// Where orders and transactions are kept.
    public let store: any PaymentStore
    /// The merchants as they are now.
    public let merchants: MerchantDirectory
    /// The sandbox, if there is one.
    public let sandbox: Sandbox?
    /// The gateway's clock.
    public let clock: SettableClock
    /// Where the gateway's numbers and identifiers come from.
    public let references: ReferenceGenerator
    /// The reports of refused tokens.
    public let reports: ReportArchive
    /// The latest requests.
    public let requests: RequestLog
    /// What is to become of the next operations.
    public let outcomes: OutcomeRegister
    /// Who answers operations, and knows which outcomes there are.
    public let acquirer: any SteerableAcquirer
    /// The description of the interface, `openapi.yaml`; nil if it can't be read.
    public let openAPI: @Sendable () -> [UInt8]?

    /// What there is.
    public init(
        store: any PaymentStore, merchants: MerchantDirectory, sandbox: Sandbox?,
        clock: SettableClock, references: ReferenceGenerator, reports: ReportArchive, requests: RequestLog,
        outcomes: OutcomeRegister, acquirer: any SteerableAcquirer, openAPI: @escaping @Sendable () -> [UInt8]?
    ) {
        self.store = store
        self.merchants = merchants
        self.sandbox = sandbox
        self.clock = clock
        self.references = references
        self.reports = reports
        self.requests = requests
        self.outcomes = outcomes
        self.acquirer = acquirer
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

    /// The currency in which a client without a preference should order; the sandbox merchant accepts all.
    static let currency = "USD"

    /// A sandbox.
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
