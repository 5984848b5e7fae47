import ApplePay
import ApplePaySandbox
import HTTPTypes
import JSON
import TestSupport
import Testing
import Values

/// A grant gives one token, to the pages of its origin.
struct PageTokenTests {
    private let pages: TestPages

    init() throws { pages = try TestPages() }

    @Test func `a grant gives a token that the merchant's keys open`() async throws {
        let reply = try await pages.token(try await pages.grant())
        #expect(reply.status == 200)
        let token = try #require(reply["token"])
        #expect(token["paymentMethod"] == ["displayName": "Visa 1019", "network": "Visa", "type": "credit"])
        #expect(token["transactionIdentifier"]?.string?.wholeMatch(of: /[0-9a-f]{64}/) != nil)
        let paymentData = try #require(token["paymentData"])
        #expect(paymentData["version"] == "EC_v1")
        let report = pages.local.opener.open(
            SecretText(paymentData.text), at: LocalMerchant.instant, expecting: nil)
        #expect(report.refusal == nil)
    }

    @Test func `a grant is good for one token, from its origin`() async throws {
        let grant = try await pages.grant()
        #expect(try await pages.token(grant, from: "http://shop.example:3001").status == 403)
        #expect(try await pages.token(grant, from: "http://other.example").status == 403)
        #expect(try await pages.token(grant, from: nil).status == 403)
        #expect(try await pages.token(grant, ["card": "none"]).status == 400)
        #expect(try await pages.token(grant).status == 200)
        let again = try await pages.token(grant)
        #expect(again.status == 409)
        #expect(again.message.contains("used before"))
    }

    @Test(arguments: ["AAAA", String(repeating: "A", count: 43)])
    func `an unknown grant gives nothing`(grant: String) async throws {
        #expect(try await pages.token(grant).status == 403)
    }

    @Test func `of two requests with one grant, one gets a token`() async throws {
        let grant = try await pages.grant()
        async let one = pages.token(grant)
        async let other = pages.token(grant)
        #expect([try await one.status, try await other.status].sorted() == [200, 409])
    }

    @Test(arguments: MintDefect.allCases)
    func `each defect is accepted by its name`(defect: MintDefect) async throws {
        var changes: JSONObject = ["defect": .string(defect.rawValue), "applicationData": "b3JkZXI="]
        if defect.requirement == .submerchants {
            changes["multiTokenContexts"] = [["merchantIdentifier": "a", "amount": "56.00"]]
        }
        let reply = try await pages.token(try await pages.grant(), changes)
        switch defect.requirement {
        case .version(.rsa), .encryptedPIN:
            #expect(reply.status == 400)
            #expect(reply.message.contains("only a token"))
        default: #expect(reply.status == 200, "\(reply.message)")
        }
    }

    private static let wrong: [(String, JSONValue)] = [
        ("amount", "1.234"), ("amount", "-1"), ("amount", 5), ("amount", .null), ("currencyCode", "XXY"),
        ("countryCode", "us"), ("countryCode", "USA"), ("card", "Visa"), ("card", .null), ("defect", "none"),
        ("applicationData", "=="), ("applicationData", .string(String(repeating: "A", count: 4100))),
        ("multiTokenContexts", [:]), ("multiTokenContexts", [["amount": "1.00"]]),
        ("multiTokenContexts", .array(Array(repeating: ["merchantIdentifier": "a", "amount": "1"], count: 65))),
        ("multiTokenContexts", [["merchantIdentifier": "a", "amount": "1.00", "pan": "1"]]), ("recurring", "yes"),
        ("pan", "5123450000000008"),
    ]

    @Test(arguments: wrong)
    func `a member that can't be is named, and the grant stays`(name: String, value: JSONValue) async throws {
        let grant = try await pages.grant()
        let reply = try await pages.token(grant, JSONObject([(name: name, value: value)]))
        #expect(reply.status == 400)
        #expect(reply.message.contains(name == "pan" ? "unknown" : name), "\(reply.message)")
        #expect(try await pages.token(grant).status == 200)
    }

    @Test func `a token for later payments and several merchants has their members`() async throws {
        let reply = try await pages.token(
            try await pages.grant(),
            [
                "recurring": true, "applicationData": "b3JkZXI=", "defect": .null,
                "multiTokenContexts": [
                    [
                        "merchantIdentifier": "a", "externalIdentifier": "e", "merchantName": "A",
                        "merchantDomain": "a.example", "amount": "56.00",
                    ]
                ],
            ])
        let paymentData = try #require(reply["token"]?["paymentData"])
        #expect(paymentData["header"]?["applicationData"] != nil)
        let report = pages.local.opener.open(
            SecretText(paymentData.text), at: LocalMerchant.instant, expecting: nil)
        let opened = try #require(report.paymentData)
        #expect(opened.authenticationResponses.map(\.merchantIdentifier) == ["a"])
    }
}
