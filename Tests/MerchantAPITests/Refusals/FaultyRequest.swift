import HTTPTypes
import JSON
import Payments
import TestSupport

/// A request that is good until rows of a table of refusals break it: what is sent, by whom, and what the stores do.
///
/// Faults compose: each changes members of its own, so the order in which they are made doesn't matter.
struct FaultyRequest: Equatable {
    /// What a payment's card comes from.
    enum Source: String, CaseIterable {
        case card
        case members = "members of a token"
        case token
        case stored = "a session and a card token"
    }

    /// The password that is presented.
    enum Password { case right, wrong, absent }
    /// The Apple Pay token that is presented, or that the members were taken from.
    enum Token { case good, defective, spent, absent, empty }
    /// The session that is named.
    enum Named { case good, unknown, neverUpdated, unfit, malformed }
    /// What an operation finds of its order.
    enum OrderFact: Hashable {
        /// There is one, of a currency.
        case exists
        /// There is none, where the operation needs one.
        case isUnknown
        case isAuthorized, isCaptured, isCapturedTwice, isPaid, isRefunded
    }

    /// The source of the payment's card.
    var source: Source

    var isPathBroken = false
    var version = "100"
    var isPathLonger = false
    var method: HTTPRequest.Method
    var isJSONBroken = false
    var password = Password.right
    /// Whether the connection has a certificate of the merchant's.
    var hasCertificate = true
    /// Whether the merchant has sent all requests of this second.
    var isOverRate = false
    /// The order's identifier in the path, in place of the one that the facts ask for.
    var order: String?
    var transaction = "1"
    /// The identifier of a session or token in the path.
    var identifier = Named.good
    /// `responseControls.sensitiveData` of a retrieval.
    var sensitiveData: String?
    /// The header field with the hash of application data.
    var applicationDataHash: String?
    /// The members that differ from the good content, by their dotted paths; nil removes one.
    var changes: [String: JSONValue?] = [:]
    var token = Token.good
    var session = Named.good

    var privileges = Set(Privilege.allCases)
    var currencies: Set<Currency>?
    /// Whether the merchant has keys for Apple Pay tokens.
    var hasKeys = true
    var applicationData = TokenMatching.ApplicationData.any

    var facts: Set<OrderFact> = []
    var storeFaults: Set<FaultyStore.Fault> = []

    /// Takes the members out, or puts others in.
    mutating func change(_ path: String, _ value: JSONValue?) { changes.updateValue(value, forKey: path) }
}
