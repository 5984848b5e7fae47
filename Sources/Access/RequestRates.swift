public import Payments
internal import Synchronization
internal import Values

/// How many requests of each merchant are let in a second: a token bucket for each, of one second's requests.
///
/// Only requests of a merchant who was let in count, so nobody else can use a bucket up, and there are as many as merchants.
/// All APIs of a gateway share them.
public final class RequestRates: Sendable {
    /// When a bucket will be full again, in nanoseconds of the monotonic clock.
    private let fullAt = Mutex<[MerchantID: UInt64]>([:])
    private static let second: UInt64 = 1_000_000_000

    /// Nobody has asked yet.
    public init() {}

    /// Takes one request of a merchant's.
    ///
    /// - Parameter arrival: when it came, in nanoseconds of the monotonic clock; nil if it was made in this process, which no
    ///   limit is for.
    /// - Returns: nil if it is let in, otherwise in how many seconds there is room again, at least 1.
    public func secondsToWait(of merchant: Merchant, arrival: UInt64?) -> Int? {
        guard let perSecond = merchant.requestsPerSecondMax, let arrival else { return nil }
        let step = Self.second / UInt64(perSecond)
        return fullAt.withLock { buckets in
            // One that came before another may be judged after it.
            let full = max(buckets[merchant.id] ?? 0, arrival) + step
            guard full <= arrival + Self.second else {
                return Int((full - arrival - Self.second + Self.second - 1) / Self.second)
            }
            buckets[merchant.id] = full
            return nil
        }
    }
}
