import ApplePay
import ApplePaySandbox
import OpenSSL
import TestSupport
import Testing

/// Step 6 of Apple's seven.
struct TransactionDetailsTests {
    private static let hash = SHA256.hash(Array("order 1".utf8))

    /// What the merchant expects, what the token has as application data, and the refusal.
    static let comparisons: [(TransactionDetails, String?, TokenRefusal?)] = [
        (.init(currencyCode: "840", amountMinorUnits: 5656), nil, nil),
        (.init(currencyCode: "840", amountMinorUnits: 5656), "order 1", nil),
        (.init(currencyCode: "840", amountMinorUnits: 5656, applicationData: .hash(hash)), "order 1", nil),
        (
            .init(currencyCode: "978", amountMinorUnits: 5656), nil,
            .currencyDiffers(
                token: .init(currencyCode: "840", amountMinorUnits: 5656),
                order: .init(currencyCode: "978", amountMinorUnits: 5656))
        ),
        (
            .init(currencyCode: "978", amountMinorUnits: 1), nil,
            .currencyDiffers(
                token: .init(currencyCode: "840", amountMinorUnits: 5656),
                order: .init(currencyCode: "978", amountMinorUnits: 1))
        ),
        (
            .init(currencyCode: "840", amountMinorUnits: 5657), nil,
            .amountDiffers(tokenMinorUnits: 5656, orderMinorUnits: 5657, currencyCode: "840")
        ),
        (
            .init(currencyCode: "840", amountMinorUnits: 0), nil,
            .amountDiffers(tokenMinorUnits: 5656, orderMinorUnits: 0, currencyCode: "840")
        ),
        (
            .init(currencyCode: "840", amountMinorUnits: 5656, applicationData: .hash(hash)), "order 2",
            .applicationDataDiffers
        ),
        (
            .init(currencyCode: "840", amountMinorUnits: 5656, applicationData: .hash(hash)), nil,
            .applicationDataMissing
        ),
        (
            .init(currencyCode: "978", amountMinorUnits: 1, applicationData: .hash(hash)), nil,
            .applicationDataMissing
        ),
    ]

    @Test(arguments: comparisons)
    func `a token is checked against what the merchant asked for`(
        details: TransactionDetails, applicationData: String?, refusal: TokenRefusal?
    ) throws {
        let merchant = try LocalMerchant()
        var order = try merchant.order()
        order.applicationData = applicationData.map { Array($0.utf8) }
        let report = merchant.opener.open(text: try merchant.mint(order), at: .signing, expecting: details)
        #expect(report.refusal == refusal)
        #expect(report[.transactionDetails] == (refusal.map { .failed($0) } ?? .passed))
        #expect((report.opened != nil) == (refusal == nil))
        #expect(report.paymentData != nil)
    }

    @Test(arguments: [
        (TransactionDetails(total: nil), true), (.init(total: nil, applicationData: .notCompared), true),
        (.init(total: nil, applicationData: .absent), false), (.init(total: nil, applicationData: .bytes([])), false),
        (.init(total: nil, payee: .submerchant("")), false), (.init(currencyCode: "", amountMinorUnits: 0), false),
    ])
    func `details are empty if they leave everything uncompared`(details: TransactionDetails, isEmpty: Bool) {
        #expect(details.isEmpty == isEmpty)
    }

    @Test func `application data is compared even without a key`() throws {
        let merchant = try LocalMerchant()
        let opener = TokenOpener(keys: [], trust: merchant.trust)
        let details = TransactionDetails(currencyCode: "840", amountMinorUnits: 5656, applicationData: .hash(Self.hash))
        let report = opener.open(text: try merchant.mint(try merchant.order()), at: .signing, expecting: details)
        #expect(report.failedSteps == [.transactionDetails])

        var order = try merchant.order()
        order.applicationData = Array("order 1".utf8)
        let same = opener.open(text: try merchant.mint(order), at: .signing, expecting: details)
        #expect(same[.transactionDetails] == .skipped(.needs(.paymentData)))
    }
}
