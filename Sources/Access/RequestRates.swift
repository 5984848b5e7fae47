public import Payments
internal import Synchronization
internal import Values

/// Limits the number of requests per second of each merchant: one token bucket per merchant, with the capacity of one
/// second.
///
/// Only authenticated requests of the merchant count, so nobody else can exhaust a bucket, and there are at most as many
/// buckets as merchants. All APIs of a gateway share the buckets.
public final class RequestRates: Sendable {
    /// The time at which each bucket will be full again, in nanoseconds of the monotonic clock.
    private let fullAt = Mutex<[MerchantID: UInt64]>([:])
    private static let second: UInt64 = 1_000_000_000

    /// Creates full buckets.
    public init() {}

    /// Counts one request of a merchant.
    ///
    /// - Parameter arrival: the time of the request's arrival, in nanoseconds of the monotonic clock; nil for requests
    ///   made in this process, which are not limited.
    /// - Returns: nil if the request is admitted, otherwise the number of seconds until there is room again, at least 1.
    public func secondsToWait(of merchant: Merchant, arrival: UInt64?) -> Int? {
        guard let perSecond = merchant.requestsPerSecondMax, let arrival else { return nil }
        let step = Self.second / UInt64(perSecond)
        return fullAt.withLock { buckets in
            // Requests may be counted in another order than that of their arrival.
            let full = max(buckets[merchant.id] ?? 0, arrival) + step
            guard full <= arrival + Self.second else {
                return Int((full - arrival - Self.second + Self.second - 1) / Self.second)
            }
            buckets[merchant.id] = full
            return nil
        }
    }
}
