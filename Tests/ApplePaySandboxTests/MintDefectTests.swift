import ApplePay
import ApplePaySandbox
import TestSupport
import Testing
import Values

struct MintDefectTests {
    /// What a defect is put into.
    struct Kind: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let version: TokenVersion
        let change: @Sendable (inout MintOrder) -> Void

        init(_ name: String, _ version: TokenVersion, _ change: @escaping @Sendable (inout MintOrder) -> Void) {
            testDescription = "\(version.rawValue), \(name)"
            self.version = version
            self.change = change
        }

        func order(of merchant: LocalMerchant) throws -> MintOrder {
            var order = try merchant.order()
            change(&order)
            return order
        }
    }

    static let kinds = TokenVersion.allCases.flatMap { version in
        [
            Kind("3-D Secure", version) { _ in },
            Kind("EMV", version) { $0.emvPayment = .init(encryptedPINData: SecretText("0123456789abcdef")) },
            Kind("application data", version) { $0.applicationData = Array("order 1".utf8) },
            Kind("submerchants", version) { order in
                order.submerchants = [
                    .init(merchantIdentifier: "one", amountMinorUnits: 5656),
                    .init(merchantIdentifier: "two", amountMinorUnits: 1),
                ]
            },
        ]
    }

    /// A report on a token with this defect, checked for the order it was minted for; nil if the kind can't have it.
    private static func report(_ kind: Kind, _ defect: MintDefect?) throws -> TokenReport? {
        let merchant = try LocalMerchant()
        let order = try kind.order(of: merchant)
        guard defect?.requirement?.isMet(by: order, kind.version) ?? true else { return nil }
        let details = TransactionDetails(
            currencyCode: "840", amountMinorUnits: 5656,
            applicationData: order.applicationData.map { .bytes($0) } ?? .absent,
            payee: order.submerchants.first.map { .submerchant($0.merchantIdentifier) } ?? .whole)
        return merchant.opener.open(
            SecretText(try merchant.mint(order, kind.version, defect: defect)), at: LocalMerchant.instant,
            expecting: details)
    }

    @Test(arguments: kinds)
    func `the token that every defect starts from is lawful`(kind: Kind) throws {
        let report = try #require(try Self.report(kind, nil))
        #expect(report.refusal == nil)
        #expect(report.opened != nil)
    }

    @Test(arguments: kinds, MintDefect.allCases)
    func `a defect is refused at its own step and at no other`(kind: Kind, defect: MintDefect) throws {
        guard let report = try Self.report(kind, defect) else { return }
        switch (defect, kind.testDescription.hasSuffix("application data")) {
        // What is altered in the header after signing differs from the order's, too.
        case (.applicationDataAdded, _), (.applicationDataRemoved, true):
            #expect(report.failedSteps == [.signature, .transactionDetails])
        // Of several submerchants each has an amount of its own, and the total is not compared.
        case (.amountDiffers, _) where kind.testDescription.hasSuffix("submerchants"):
            #expect(report.failedSteps == [])
        default:
            #expect(report.failedSteps == [defect.refusingStep])
            #expect(report.opened == nil)
        }
    }

    @Test(arguments: MintDefect.allCases)
    func `every defect can be put into some token`(defect: MintDefect) throws {
        let merchant = try LocalMerchant()
        let orders = try Self.kinds.map { (try $0.order(of: merchant), $0.version) }
        #expect(orders.contains { defect.requirement?.isMet(by: $0, $1) ?? true })
    }

    @Test(arguments: MintDefect.allCases)
    func `a defect's name fits a command line and its summary one line`(defect: MintDefect) {
        #expect(defect.rawValue.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "-" })
        #expect(!defect.summary.isEmpty && defect.summary.count <= 80)
        #expect(!defect.summary.contains("\n"))
    }
}
