public import Values

/// For how long orders are kept, and how many.
///
/// An order is as old as its last transaction: whatever is done on it keeps it. Its state doesn't matter, as an authorization
/// that nobody captures stays open forever. Once it has gone, so have its transactions, and both identifiers are free; a
/// request that made it is then a new one. What such a request could do again is bounded by two rules that no setting
/// changes: an order that was answered within the last day stays, however many there are, so that a repeated request
/// gets its answer; and a credited token stays known permanently.
public struct OrderRetention: Equatable, Sendable {
    /// How long every order stays, in milliseconds: a day.
    public static let keptMilliseconds: Int64 = 86_400_000

    /// After how many days an order is deleted, from 1 on; nil if age deletes none.
    public let daysMax: Int64?
    /// Beyond how many orders the oldest are deleted; nil if there is no such limit.
    public let ordersMax: Int64?

    /// The limits of retention.
    public init(daysMax: Int64? = nil, ordersMax: Int64? = nil) {
        precondition((1...36_500).contains(daysMax ?? 1) && ordersMax ?? 0 >= 0, "checked where it is read")
        self.daysMax = daysMax
        self.ordersMax = ordersMax
    }

    /// Whether everything is kept.
    public var keepsAll: Bool { daysMax == nil && ordersMax == nil }

    /// Orders whose last transaction was answered before this instant are too old; nil if none can be.
    public func agedBefore(at instant: Instant) -> Instant? {
        daysMax.map { instant.advanced(byMilliseconds: -$0 * Self.keptMilliseconds) }
    }

    /// Orders whose last transaction was answered before this instant go if there are too many.
    public func surplusBefore(at instant: Instant) -> Instant {
        instant.advanced(byMilliseconds: -Self.keptMilliseconds)
    }
}
