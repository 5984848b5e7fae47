import ApplePaySandbox
import OpenSSL
import TestSupport
import Testing

@testable import ApplePay

/// What a merchant may ask of application data, and what its loss looks like.
struct ApplicationDataTests {
    private static let original = Array("order 1".utf8)

    /// The policy, what the token has, and the refusal.
    static let policies: [(ApplicationDataPolicy, String?, TokenRefusal?)] = [
        (.notCompared, nil, nil), (.notCompared, "order 1", nil),
        (.absent, nil, nil), (.absent, "order 1", .applicationDataUnexpected),
        (.absent, "", .applicationDataUnexpected),
        (.bytes(original), "order 1", nil), (.bytes(original), "order 2", .applicationDataDiffers),
        (.bytes(original), nil, .applicationDataMissing), (.bytes([]), nil, .applicationDataMissing),
        (.bytes([]), "", nil), (.bytes(SHA256.hash(original)), "order 1", .applicationDataDiffers),
        (.hash(SHA256.hash(original)), "order 1", nil), (.hash(original), "order 1", .applicationDataDiffers),
        (.hash(SHA256.hash(original)), nil, .applicationDataMissing), (.hash([]), "order 1", .applicationDataDiffers),
    ]

    @Test(arguments: policies, TokenVersion.allCases)
    func `application data is checked against the merchant's policy`(
        sample: (policy: ApplicationDataPolicy, applicationData: String?, refusal: TokenRefusal?), version: TokenVersion
    ) throws {
        let merchant = try LocalMerchant()
        var order = try merchant.order()
        order.applicationData = sample.applicationData.map { Array($0.utf8) }
        let details = TransactionDetails(
            currencyCode: "840", amountMinorUnits: 5656, applicationData: sample.policy)
        let report = merchant.opener.open(text: try merchant.mint(order, version), at: .signing, expecting: details)
        #expect(report.refusal == sample.refusal)
        #expect(report.failedSteps == (sample.refusal == nil ? [] : [.transactionDetails]))
        #expect((report.opened != nil) == (sample.refusal == nil))
    }

    /// The defect, what the token was minted with, what the merchant expects, and the note's end.
    static let losses: [(MintDefect, String?, ApplicationDataPolicy, String?)] = [
        (.applicationDataAdded, nil, .notCompared, "header.applicationData was added on the way."),
        (.applicationDataAdded, "order 1", .bytes(original), "header.applicationData was replaced on the way."),
        (.applicationDataAdded, "order 1", .bytes(Array("order 2".utf8)), nil),
        (.applicationDataRemoved, "order 1", .bytes(original), "header.applicationData was lost on the way."),
        (
            .applicationDataRemoved, "order 1", .hash(SHA256.hash(original)),
            "header.applicationData was lost on the way."
        ),
        (.applicationDataRemoved, "order 1", .bytes(Array("order 2".utf8)), nil),
        (.applicationDataRemoved, "order 1", .notCompared, nil), (.transactionIdAltered, nil, .bytes(original), nil),
    ]

    @Test(arguments: losses)
    func `a digest that fits with other application data is told`(
        defect: MintDefect, applicationData: String?, policy: ApplicationDataPolicy, note: String?
    ) throws {
        let merchant = try LocalMerchant()
        var order = try merchant.order()
        order.applicationData = applicationData.map { Array($0.utf8) }
        let report = merchant.opener.open(
            text: try merchant.mint(order, defect: defect), at: .signing,
            expecting: TransactionDetails(total: nil, applicationData: policy))
        #expect(report.refusal == .digestDiffers)
        #expect(report.notes.count == (note == nil ? 0 : 1))
        if let note { #expect(report.notes.first?.hasSuffix(note) == true) }
    }
}
