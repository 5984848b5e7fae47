import ApplePay
import JSON
import Payments
import TestSupport
import Testing
import Values

struct ReportArchiveTests {
    private static func report(_ text: String) throws -> TokenReport {
        try LocalMerchant().opener.open(text: text, at: .signing)
    }

    private static let one = Result { try MerchantID("ONE") }
    private static let two = Result { try MerchantID("TWO") }

    @Test func `a report is kept as masked JSON`() throws {
        let archive = ReportArchive()
        let report = try Self.report("{}")
        let id = try #require(archive.keep(report, of: try Self.one.get(), at: LocalMerchant.instant))
        #expect(id.utf8.count == 32 && Hexadecimal.decoded(Array(id.utf8)) != nil && id == id.lowercased())
        let kept = try #require(archive.report(id: id))
        #expect(try JSONValue(parsing: kept) == report.json(revealing: false))
        for other in ["", id.uppercased(), String(id.dropLast()), id + "0", String(repeating: "0", count: 32)]
        where other != id {
            #expect(archive.report(id: other) == nil)
        }
    }

    @Test func `the same report is kept under another id each time`() throws {
        let archive = ReportArchive()
        let report = try Self.report("{}")
        let merchant = try Self.one.get()
        let ids = (0..<64).compactMap { _ in archive.keep(report, of: merchant, at: LocalMerchant.instant) }
        #expect(Set(ids).count == 64)
    }

    @Test func `beyond 256 the oldest report goes`() throws {
        let archive = ReportArchive()
        let report = try Self.report("{}")
        let merchant = try Self.one.get()
        let ids = (0..<(ReportArchive.countMax + 2)).compactMap { _ in
            archive.keep(report, of: merchant, at: LocalMerchant.instant)
        }
        let found = ids.map { archive.report(id: $0) != nil }
        #expect(found == [false, false] + [Bool](repeating: true, count: ReportArchive.countMax))
    }

    @Test func `reports of one merchant push none of another's out`() throws {
        let archive = ReportArchive()
        let report = try Self.report("{}")
        let kept = try #require(archive.keep(report, of: try Self.one.get(), at: LocalMerchant.instant))
        for _ in 0...ReportArchive.countMax {
            _ = archive.keep(report, of: try Self.two.get(), at: LocalMerchant.instant)
        }
        #expect(archive.report(id: kept) != nil)
    }

    @Test func `reports are listed newest first, over all merchants or of one`() throws {
        let archive = ReportArchive()
        let report = try Self.report("{}")
        let (one, two) = (try Self.one.get(), try Self.two.get())
        let ids = [one, two, one, two, two].enumerated().compactMap { number, merchant in
            archive.keep(report, of: merchant, at: Instant(secondsSinceEpoch: Int64(number)))
        }
        func list(_ merchant: MerchantID? = nil, before id: String? = nil, _ countMax: Int = 9) throws -> [String] {
            try #require(archive.list(of: merchant, before: id, countMax: countMax)).reports.map(\.id)
        }
        #expect(try list() == ids.reversed())
        #expect(try list(one) == [ids[2], ids[0]])
        #expect(try list(one, before: ids[3]) == [ids[2], ids[0]])
        #expect(try list(before: ids[2], 1) == [ids[1]])
        #expect(archive.list(of: nil, before: ids[2], countMax: 1)?.hasMore == true)
        #expect(archive.list(of: nil, before: ids[2], countMax: 2)?.hasMore == false)
        #expect(try list(before: ids[0]) == [])
        #expect(archive.list(of: nil, before: "", countMax: 1) == nil)
        let newest = try #require(archive.list(of: two, before: nil, countMax: 1)?.reports.first)
        #expect(newest.merchant == two && newest.time == Instant(secondsSinceEpoch: 4))
        #expect(newest.refusal == report.refusal)
    }

    @Test func `beyond 1 MiB the oldest reports go`() throws {
        // Decrypted members that are shown make a report long.
        let report = try LocalMerchant()
            .report(submerchants: (0..<200).map { "\($0)" + String(repeating: "m", count: 60) }).report
        #expect(report.opened != nil)
        let size = report.json(revealing: false).serialized().count
        #expect(size > ReportArchive.byteCountMax / ReportArchive.countMax)
        let archive = ReportArchive()
        let id = try Self.one.get()
        let ids = (0..<100).compactMap { _ in archive.keep(report, of: id, at: LocalMerchant.instant) }
        let found = ids.map { archive.report(id: $0) != nil }
        let kept = ReportArchive.byteCountMax / size
        #expect(kept < 100)
        #expect(found == [Bool](repeating: false, count: 100 - kept) + [Bool](repeating: true, count: kept))
    }

    @Test(arguments: [
        #"{"version":"4508750015741019"}"#, #"{"4508750015741019":1,"4508750015741019":2}"#,
        #"{"version":"4508 7500 1574 1019"}"#,
    ])
    func `an account number in place of a token's member is masked`(text: String) throws {
        let archive = ReportArchive()
        let merchant = try Self.one.get()
        let id = try #require(archive.keep(try Self.report(text), of: merchant, at: LocalMerchant.instant))
        let kept = String(decoding: try #require(archive.report(id: id)), as: UTF8.self)
        #expect(kept.contains("1019"))
        #expect(!kept.contains("450875") && !kept.contains("4508 75"))
    }

    @Test func `a decrypted token's report holds no card data`() throws {
        let (report, cryptogram) = try LocalMerchant().report(
            cardholderName: "Ada Lovelace", expecting: TransactionDetails(currencyCode: "840", amountMinorUnits: 1))
        #expect(report.refusal == .amountDiffers(tokenMinorUnits: 5656, orderMinorUnits: 1, currencyCode: "840"))
        let archive = ReportArchive()
        let id = try #require(archive.keep(report, of: try Self.one.get(), at: LocalMerchant.instant))
        let kept = String(
            decoding: try #require(archive.report(id: id)), as: UTF8.self)
        #expect(kept.contains("512345xxxxxx0008"))
        for secret in ["5123450000000008", cryptogram, "Lovelace"] {
            #expect(!kept.contains(secret))
            #expect(!kept.contains(secret.replacing("/", with: "\\/")))
        }
    }
}
