import ApplePay
import OpenSSL
import Testing
import Values

@testable import tollgate

/// Certificates that end: the gateway warns by its own clock, and starts.
struct CertificateExpiryTests {
    private static let day: Int64 = 86_400_000

    private static func expiry() throws -> CertificateExpiry {
        CertificateExpiry(
            merchant: try MerchantID("SHOP"), path: "shop.cer", publicKeyHash: [], notAfter: MerchantKeyFixture.notAfter
        )
    }

    /// Milliseconds before the end, whole days left, and what the warning says.
    @Test(
        arguments: [
            (31 * day, 31, nil), (30 * day + 1, 30, nil), (30 * day, 30, "expires in 30 days, "),
            (30 * day - 1, 29, "expires in 29 days, "), (2 * day - 1, 1, "expires in 1 day, "),
            (day - 1, 0, "expires within a day, "), (0, 0, "expires within a day, "), (-1, -1, "expired "),
            (-day, -1, "expired "), (-day - 1, -2, "expired "), (-400 * day, -400, "expired "),
        ] as [(Int64, Int64, String?)])
    func `days are counted down to the end, and the last thirty are warned of`(
        milliseconds: Int64, days: Int64, finding: String?
    ) throws {
        let now = MerchantKeyFixture.notAfter.advanced(byMilliseconds: -milliseconds)
        #expect(try Self.expiry().daysLeft(at: now) == days)
        let expected = finding.map {
            "warning: merchant SHOP: shop.cer \($0)at 2026-01-31T00:00:00Z: `tollgate certificate request` begins its "
                + "renewal"
        }
        #expect(try Self.expiry().warning(at: now) == expected)
    }

    /// What a gateway whose clock is set to an instant says on standard error until it listens.
    private func errors(at instant: String) throws -> [Substring] {
        let folder = try TestFolder()
        defer { folder.remove() }
        let old = try MerchantKeyFixture()
        let new = try MerchantKeyFixture()
        for (name, fixture) in [("old", old), ("new", new)] {
            try folder.writeSecret("config/merchants/\(name).pem", try fixture.pem)
            try folder.write("config/merchants/\(name).cer", try fixture.certificate().der)
        }
        let merchant = """
            passwords: [{environment: SHOP_PASSWORD}]
            applePay:
              trust: [local]
              keys: [{privateKey: old.pem, certificate: old.cer}, {privateKey: new.pem, certificate: new.cer}]
            """
        try folder.writeSecret("config/merchants/SHOP.yaml", Array(merchant.utf8))
        let gateway = try RunningGateway(
            in: folder, "--config", folder.path + "/config", "--clock", instant,
            environment: ["SHOP_PASSWORD": "shop-word"], credentials: .init(merchant: "SHOP", password: "shop-word"))
        defer { gateway.kill() }
        #expect(try gateway.get(TransactionPath(merchant: "SHOP")).status == 400)
        return try folder.text("errors").split(separator: "\n")
    }

    @Test(arguments: [
        ("2025-12-31T00:00:00Z", ""), ("2026-01-20T12:00:00Z", "expires in 10 days"),
        ("2027-01-01T00:00:00Z", "expired at"),
    ])
    func `a gateway warns of each certificate in a line, by its own clock, and starts`(
        instant: String, finding: String
    ) throws {
        let lines = try errors(at: instant)
        guard !finding.isEmpty else {
            #expect(lines.isEmpty)
            return
        }
        #expect(lines.count == 2)
        for (line, name) in zip(lines, ["old.cer", "new.cer"]) {
            #expect(line.hasPrefix("warning: merchant SHOP: ") && line.contains("/\(name) \(finding)"))
        }
    }
}
