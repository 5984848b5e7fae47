import Access
import Payments
import Testing
import Values

/// How many requests a second are let in, on a clock of the test's own.
struct RequestRatesTests {
    private static let second: UInt64 = 1_000_000_000

    private static func merchant(_ id: String, _ requestsPerSecondMax: Int?) throws -> Merchant {
        Merchant(id: try MerchantID(id), passwords: [], applePay: nil, requestsPerSecondMax: requestsPerSecondMax)
    }

    @Test(arguments: [1, 3, 7, 1000])
    func `as many as in a second are let in at once, and each later one in its time`(perSecond: Int) throws {
        let rates = RequestRates()
        let merchant = try Self.merchant("M", perSecond)
        let start = 5 * Self.second
        for _ in 0..<perSecond { #expect(rates.secondsToWait(of: merchant, arrival: start) == nil) }
        #expect(rates.secondsToWait(of: merchant, arrival: start) == 1)
        let step = Self.second / UInt64(perSecond)
        // Refused ones use nothing up. A step is a whole number of nanoseconds.
        for _ in 0..<10 { #expect(rates.secondsToWait(of: merchant, arrival: start + step - 10) == 1) }
        #expect(rates.secondsToWait(of: merchant, arrival: start + step) == nil)
        #expect(rates.secondsToWait(of: merchant, arrival: start + step) == 1)
        // What was not used in an hour is no more than a second's.
        let later = start + 3600 * Self.second
        for _ in 0..<perSecond { #expect(rates.secondsToWait(of: merchant, arrival: later) == nil) }
        #expect(rates.secondsToWait(of: merchant, arrival: later) == 1)
    }

    @Test func `merchants are counted apart, and who has no limit not at all`() throws {
        let rates = RequestRates()
        let (one, two) = (try Self.merchant("ONE", 1), try Self.merchant("TWO", 1))
        #expect(rates.secondsToWait(of: one, arrival: 0) == nil)
        #expect(rates.secondsToWait(of: one, arrival: 0) == 1)
        #expect(rates.secondsToWait(of: two, arrival: 0) == nil)
        let free = try Self.merchant("FREE", nil)
        for _ in 0..<100 { #expect(rates.secondsToWait(of: free, arrival: 0) == nil) }
    }

    @Test func `a request that came earlier and is judged later is no fault`() throws {
        let rates = RequestRates()
        let merchant = try Self.merchant("M", 2)
        #expect(rates.secondsToWait(of: merchant, arrival: 10 * Self.second) == nil)
        #expect(rates.secondsToWait(of: merchant, arrival: 1) == 10)
    }
}
