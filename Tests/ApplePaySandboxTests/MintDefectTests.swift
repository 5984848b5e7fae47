import ApplePay
import ApplePaySandbox
import OpenSSL
import TestSupport
import Testing

struct MintDefectTests {
    /// A report on a token of 56.56 US dollars with this defect, held against the order it was minted for.
    private static func report(_ defect: MintDefect?, applicationData: [UInt8]? = nil) throws -> TokenReport {
        let merchant = try LocalMerchant()
        var order = try merchant.order()
        order.applicationData = applicationData
        let details = TransactionDetails(
            currencyCode: "840", amountMinorUnits: 5656, applicationDataHash: applicationData.map { SHA256.hash($0) })
        return merchant.opener.open(
            SecretText(try merchant.mint(order, defect: defect)), at: LocalMerchant.instant, expecting: details)
    }

    @Test func `the token that every defect starts from is lawful`() throws {
        let report = try Self.report(nil)
        #expect(report.refusal == nil)
        #expect(report.opened != nil)
    }

    @Test(arguments: MintDefect.allCases.filter { ![.applicationDataDiffers].contains($0) })
    func `a defect is refused at its own step and at no other`(defect: MintDefect) throws {
        let report = try Self.report(defect)
        #expect(report.failedSteps == [defect.refusingStep])
        #expect(report.opened == nil)
    }

    @Test(
        arguments: MintDefect.allCases.filter {
            ![.applicationDataAdded, .applicationDataRemoved].contains($0)
        })
    func `so it is if the order has application data`(defect: MintDefect) throws {
        let report = try Self.report(defect, applicationData: Array("order 1".utf8))
        #expect(report.failedSteps == [defect.refusingStep])
        #expect(report.opened == nil)
    }

    @Test(arguments: [MintDefect.applicationDataAdded, .applicationDataRemoved])
    func `application data altered after signing differs from the order's, too`(defect: MintDefect) throws {
        let report = try Self.report(defect, applicationData: Array("order 1".utf8))
        #expect(report.failedSteps == [.signature, .transactionDetails])
    }

    @Test(arguments: MintDefect.allCases)
    func `a defect's name fits a command line and its summary one line`(defect: MintDefect) {
        #expect(defect.rawValue.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "-" })
        #expect(!defect.summary.isEmpty && defect.summary.count <= 80)
        #expect(!defect.summary.contains("\n"))
    }
}
