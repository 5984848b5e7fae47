internal import JSON

/// Which versions of the API have which members of replies.
///
/// - Source: measured on recorded replies of versions 22, 30, 45, 46, 49, 51, 56, 57, 71, 74 and 78. Between two of them the
///   change is taken to be at the higher one for what was added, and after the lower one for what was removed.
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

    private let absent: [[String]]

    /// The gates of a version.
    init(version: Int) { absent = Self.gates.filter { !$0.versions.contains(version) }.map(\.path) }

    /// A reply about a transaction without what its version doesn't have.
    func apply(to reply: JSONObject) -> JSONObject {
        absent.reduce(into: reply) { $0.remove($1[...]) }
    }

    /// A reply about an order, whose members stand at the top.
    func apply(toOrder reply: JSONObject) -> JSONObject {
        absent.reduce(into: reply) { reply, path in
            switch path.first {
            case "order": reply.remove(path.dropFirst())
            case "transaction": break
            default: reply.remove(path[...])
            }
        }
    }
}

extension JSONObject {
    fileprivate mutating func remove(_ path: ArraySlice<String>) {
        guard let name = path.first else { return }
        guard path.count > 1 else { return self[name] = nil }
        guard case .object(var inner) = self[name] else { return }
        inner.remove(path.dropFirst())
        self[name] = .object(inner)
    }
}
