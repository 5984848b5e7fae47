import ApplePay
import HTTP
import HTTPTypes
import JSON
import Payments
import TestSupport
import Testing
import Values

struct MerchantListTests {
    @Test func `merchants are listed with their keys, and without secrets`() async throws {
        let control = try TestControl()
        let list = try await control.control(.get, "merchants")
        #expect(list.status == 200)
        let merchants = list.elements("merchants")
        #expect(merchants.map { $0["merchant"] } == [.string("OTHER"), .string("TESTMERCHANT")])
        #expect(merchants.map { $0["isSandbox"] } == [.bool(false), .bool(true)])
        #expect(merchants.map { $0["radial"] } == [.bool(true), .bool(false)])
        #expect(merchants[0]["applePay"] == [])
        #expect(
            merchants[1]["privileges"] == .array(Set<Privilege>.usual.map(\.rawValue).sorted().map { .string($0) }))
        guard case .array(let keys) = merchants[1]["applePay"] else { throw TestControl.Cut() }
        #expect(keys.map { $0["version"] } == [.string("EC_v1"), .string("RSA_v1")])
        for (json, key) in zip(keys, [control.local.key, control.local.rsaKey]) {
            #expect(json["publicKeyHash"] == .string(Base64.encoded(key.publicKeyHash)))
            #expect(json["merchantIdentifier"] == .string(LocalMerchant.merchantIdentifier))
            let notAfter = try #require(key.certificateNotAfter)
            #expect(json["certificate"]?["notAfter"] == .string(notAfter.wholeSeconds))
            #expect(json["remedy"] == nil)
        }
        #expect(!list.text.contains(TestControl.password))
    }

    @Test(arguments: [(-31, nil), (-30, "in 30 days"), (-1, "in 1 day"), (0, "within a day"), (1, "has expired")])
    func `a certificate that expires has a remedy`(days: Int64, words: String?) async throws {
        let control = try TestControl()
        let end = try #require(control.local.key.certificateNotAfter)
        let instant = end.advanced(byMilliseconds: days * 86_400_000 - (days == 0 ? 1 : 0))
        let set = try await control.control(.put, "clock", #"{"instant":"\#(instant.description)"}"#)
        #expect(set.status == 200)
        let list = try await control.control(.get, "merchants")
        guard case .array(let keys) = list.elements("merchants").last?["applePay"] else { throw TestControl.Cut() }
        guard case .string(let remedy) = keys[0]["remedy"] else {
            #expect(words == nil)
            return
        }
        #expect(try remedy.contains(#require(words)), "\(remedy)")
    }
}
