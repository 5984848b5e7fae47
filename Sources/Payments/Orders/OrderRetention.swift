public import Values

/// How long orders are kept, and how many.
///
/// An order's age counts from its last transaction, whatever its status, because an authorization that is never
/// captured stays open forever. Deleting an order deletes its transactions and frees the identifiers of both; a
/// repeated request that created the order then creates a new one. Two rules that no setting changes limit the effects
/// of such a request: an order with a transaction within the last day is kept, however many orders there are, so that a
/// repeated request gets the original answer; and a credited token stays recorded permanently.
public struct OrderRetention: Equatable, Sendable {
    /// The minimum time for which every order is kept, in milliseconds: a day.
    public static let keptMilliseconds: Int64 = 86_400_000

    /// The maximum age of an order in days, at least 1; nil for no limit.
    public let daysMax: Int64?
    /// The maximum number of orders, beyond which the oldest are deleted; nil for no limit.
    public let ordersMax: Int64?

    /// The limits of retention.
    public init(daysMax: Int64? = nil, ordersMax: Int64? = nil) {
        precondition((1...36_500).contains(daysMax ?? 1) && ordersMax ?? 0 >= 0, "checked where it is read")
        self.daysMax = daysMax
        self.ordersMax = ordersMax
    }

    /// Whether there are no limits.
    public var keepsAll: Bool { daysMax == nil && ordersMax == nil }

    /// Orders whose last transaction is earlier than this instant have exceeded their maximum age; nil without such a
    /// limit.
    public func agedBefore(at instant: Instant) -> Instant? {
        daysMax.map { instant.advanced(byMilliseconds: -$0 * Self.keptMilliseconds) }
    }

    /// If there are too many orders, only those whose last transaction is earlier than this instant may be deleted.
    public func surplusBefore(at instant: Instant) -> Instant {
        instant.advanced(byMilliseconds: -Self.keptMilliseconds)
    }
}
