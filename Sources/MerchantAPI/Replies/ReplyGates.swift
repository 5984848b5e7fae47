internal import JSON

/// The members of replies by API version.
///
/// - Source: recorded replies of versions 22, 30, 45, 46, 49, 51, 56, 57, 71, 74 and 78. Between two of them, a
///   member is assumed to be added in the higher version, and removed after the lower version.
struct ReplyGates: Sendable {
    private struct Gate {
        let path: [String]
        let versions: ClosedRange<Int>

        init(_ path: String, _ versions: PartialRangeFrom<Int>) {
            self.init(path, versions.lowerBound...Int.max)
        }

        init(_ path: String, _ versions: ClosedRange<Int>) {
            self.path = path.split(separator: ".").map(String.init)
            self.versions = versions
        }
    }

    private static let gates = [
        Gate("authorizationResponse", 49...),
        Gate("authorizationResponse.cardSecurityCodeError", 56...),
        Gate("authorizationResponse.date", 71...),
        Gate("authorizationResponse.time", 71...),
        Gate("authorizationResponse.transactionIntegrityClass", 71...),
        Gate("order.authenticationStatus", 56...),
        Gate("order.certainty", 57...),
        Gate("order.chargeback", 46...),
        Gate("order.lastUpdatedTime", 57...),
        Gate("order.merchantAmount", 56...),
        Gate("order.merchantCategoryCode", 49...),
        Gate("order.merchantCurrency", 56...),
        Gate("order.totalDisbursedAmount", 71...),
        Gate("response.gatewayRecommendation", 71...),
        Gate("response.risk", 1...29),
        Gate("risk", 30...),
        Gate("sourceOfFunds.provided.card.issuer", 30...),
        Gate("sourceOfFunds.provided.card.storedOnFile", 49...),
        Gate("timeOfLastUpdate", 57...),
        Gate("transaction.acquirer.date", 49...),
        Gate("transaction.acquirer.settlementDate", 49...),
        Gate("transaction.acquirer.timeZone", 49...),
        Gate("transaction.acquirer.transactionId", 49...),
        Gate("transaction.authenticationStatus", 56...),
        Gate("transaction.frequency", 1...51),
        Gate("transaction.stan", 57...),
        Gate("transaction.targetTransactionId", 46...),
    ]

    /// The names of members that the version lacks at this level.
    private let excluded: [String]
    /// The gates of the objects with a name.
    private let inner: [(name: String, gates: ReplyGates)]

    /// The gates of replies about a transaction. All versions after the last change have the same.
    static func ofTransaction(version: Int) -> ReplyGates {
        transactionGates[min(max(version, 0), transactionGates.count - 1)]
    }

    /// The gates of replies about an order, whose members are at the top level.
    static func ofOrder(version: Int) -> ReplyGates {
        ReplyGates(
            absent(version: version).compactMap { path in
                switch path.first {
                case "order": path.dropFirst()
                case "transaction": nil
                default: path
                }
            })
    }

    private static let transactionGates: [ReplyGates] = {
        let lastChange = gates.flatMap { [$0.versions.lowerBound, $0.versions.upperBound &+ 1] }.filter { $0 > 0 }.max()
        return (0...(lastChange ?? 0)).map { ReplyGates(absent(version: $0)) }
    }()

    private static func absent(version: Int) -> [ArraySlice<String>] {
        gates.filter { !$0.versions.contains(version) }.map { $0.path[...] }
    }

    private init(_ absent: [ArraySlice<String>]) {
        excluded = absent.filter { $0.count == 1 }.compactMap(\.first)
        let deeper = Dictionary(grouping: absent.filter { $0.count > 1 }) { $0.first ?? "" }
        inner = deeper.map { (name: $0.key, gates: ReplyGates($0.value.map { $0.dropFirst() })) }
    }

    private init() { (excluded, inner) = ([], []) }

    private static let open = ReplyGates()

    /// Whether the version has all members at this level and below.
    var isOpen: Bool { excluded.isEmpty && inner.isEmpty }

    /// Whether the version lacks a member.
    func exclude(_ name: String) -> Bool { excluded.contains(name) }

    /// Whether the version lacks a member.
    func exclude(_ name: StaticString) -> Bool { excluded.contains { name.hasSameBytes(as: $0) } }

    /// The gates of the objects with a name.
    func below(_ name: String) -> ReplyGates { inner.first { $0.name == name }?.gates ?? .open }

    /// The gates of the objects with a name.
    func below(_ name: StaticString) -> ReplyGates { inner.first { name.hasSameBytes(as: $0.name) }?.gates ?? .open }
}
