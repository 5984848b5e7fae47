import ApplePaySandbox
import Foundation
import JSON
import Payments
import SQLiteStore
import TestSupport
import Testing
import Values

/// What lies on the disk after a run.
struct CardDataTests {
    static let secrets = [
        TestPayment.deviceAccountNumber, "5353756319181169", TestPayment.cryptogram, "AMwBRjPWDnAgAA7Rls7mAoABFA==",
        "4508750015741019", "2223000000000007", "5111111111111118", "JOHN Q. CARDHOLDER", "JANE PAYER",
        "canonical parameters",
    ]

    @Test func `no card data is found in the files of a store, in no coding`() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let store = try SQLiteStore(path: directory.path + "/store.sqlite")
        let gateway = Gateway(store: store, acquirer: try TestSimulator.acquirer(), keys: try .test())
        for (number, payment) in try payments().enumerated() {
            var payment = payment
            payment.order = "order-\(number)"
            _ = try? await gateway.perform(payment.command, at: LocalMerchant.instant)
        }
        for (number, step) in [TestStep.capture("5656.00"), .refund("1.00"), .void("later-1")].enumerated() {
            let later = try TestPayment {
                $0.order = "order-0"
                $0.transaction = "later-\(number)"
                $0.parameters = "canonical parameters"
            }.command(of: step)
            _ = try await gateway.perform(later, at: LocalMerchant.instant)
        }
        for step in [TestStep.verify, .refundToCard("5.00")] {
            let first = try TestPayment {
                $0.order = "\(step)"
                $0.privileges = Set(Privilege.allCases)
            }.command(of: step)
            _ = try await gateway.perform(first, at: LocalMerchant.instant)
        }
        #expect(try await gateway.retrieve(TestPayment { $0.order = "order-0" }.key).transactions.count == 4)

        let open = try files(in: directory)
        #expect(open.count == 3)
        try store.close()
        for file in try open + files(in: directory) {
            for secret in Self.secrets { #expect(!Self.codings(of: secret).contains { file.range(of: $0) != nil }) }
        }
    }

    @Test(arguments: secrets) func `a planted secret is found in every coding`(secret: String) async throws {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        for coding in Self.codings(of: secret) {
            let store = try SQLiteStore(path: directory.path + "/store.sqlite")
            let planted = String(decoding: coding.filter { $0 != 0 }, as: UTF8.self)
            let gateway = Gateway(store: store, acquirer: try TestSimulator.acquirer(), keys: try .test())
            let transaction = UUID().uuidString
            _ = try await gateway.perform(
                TestPayment {
                    $0.order = transaction
                    $0.particulars = ["planted": .string(planted)]
                }.command, at: TestPayment.instant)
            let found = try files(in: directory).contains { $0.range(of: Data(planted.utf8)) != nil }
            #expect(found)
            try store.close()
        }
        // UTF-16 never reaches a JSON document, so its search is tried on bytes alone.
        let wide = Data([1, 2, 3]) + Data(secret.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
        #expect(Self.codings(of: secret).contains { wide.range(of: $0) != nil })
    }

    /// Payments by card and by token: approved, declined and refused.
    private func payments() throws -> [TestPayment] {
        var payments: [TestPayment] = []
        for amount in ["5656.00", "5757.00", "6363.00", "0"] {
            let device = try TestPayment.deviceCard()
            payments.append(
                TestPayment {
                    $0.amount = amount
                    $0.parameters = "canonical parameters with \(TestPayment.deviceAccountNumber)"
                    $0.sourceOfFunds = .card(
                        Card(
                            accountNumber: device.accountNumber, expiry: device.expiry,
                            nameOnCard: SecretText("JOHN Q. CARDHOLDER"), devicePayment: device.devicePayment))
                })
            payments.append(
                TestPayment {
                    $0.amount = amount
                    $0.sourceOfFunds = (try? TestPayment.plainCard("4508750015741019", name: "JANE PAYER")).map {
                        .card($0)
                    }
                })
        }
        let merchant = try LocalMerchant()
        var order = try merchant.order(pan: "5353756319181169", amountMinorUnits: 100)
        order.onlinePaymentCryptogram = SecretText("AMwBRjPWDnAgAA7Rls7mAoABFA==")
        let token = SecretText(try merchant.mint(order))
        for amount in ["1.00", "1.00", "2.00"] {
            payments.append(
                TestPayment {
                    $0.amount = amount
                    $0.sourceOfFunds = .applePayToken(token)
                    $0.applePay = merchant.opener
                })
        }
        return payments
    }

    private func files(in directory: TemporaryDirectory) throws -> [Data] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path).map {
            try Data(contentsOf: URL(fileURLWithPath: directory.path + "/" + $0))
        }
    }

    static func codings(of secret: String) -> [Data] { Codings.all(of: secret).map { Data($0) } }
}
