import ApplePay
import ApplePaySandbox
import HTTP
import JSON
import OpenSSL
import Payments
import TestSupport
import Testing
import Values

/// How strictly a merchant's tokens must match its orders, as its configuration says.
struct TokenMatchingTests {
    /// A merchant with keys of its own, and the API over it.
    private struct Shop {
        let local: LocalMerchant
        let gate: Gate

        init(_ matching: TokenMatching = TokenMatching(), privileges: Set<Privilege> = .usual) throws {
            local = try LocalMerchant()
            let merchant = Merchant(
                id: try MerchantID("M"), passwords: [APIPassword(digesting: SecretText("random"))],
                applePay: local.opener, tokenMatching: matching, privileges: privileges)
            gate = try Gate([merchant], at: LocalMerchant.instant)
        }

        func request(
            _ changes: KeyValuePairs<String, JSONValue?> = [:], _ version: TokenVersion = .ellipticCurve,
            _ change: (inout MintOrder) -> Void = { _ in }
        ) throws -> JSONValue {
            var order = try local.order()
            change(&order)
            var request = try Example.token(.string(local.mint(order, version)), ["order.amount": "56.56"])
            for (path, value) in changes { request.set(path.split(separator: ".").map(String.init)[...], value) }
            return request
        }

        /// What the acquirer was last asked to charge.
        var charged: Card? { gate.acquirer.commands.last?.card }
    }

    private static let token = "sourceOfFunds.provided.card.devicePayment.paymentToken"

    private static func mismatch(_ finding: String) -> String {
        "400 | \(token) | INVALID | Value is invalid. Apple Pay token refused at step 'transactionDetails': \(finding)"
    }

    // MARK: Application data

    /// What the configuration asks for, what the token's hash is of, and whether it is accepted.
    static let applicationData: [(TokenMatching.ApplicationData, String?, Bool)] = [
        (.any, nil, true), (.any, "whatever", true), (.none, nil, true), (.none, "", false), (.none, "1", false),
        (.orderID, "order-7", true), (.orderID, "order-8", false), (.orderID, "ORDER-7", false), (.orderID, nil, false),
        (.orderReference, "Füße", true), (.orderReference, "order-7", false), (.orderReference, nil, false),
        (.header(name: "X-Cart-Hash"), "cart", true), (.header(name: "X-Cart-Hash"), "tart", false),
        (.header(name: "X-Cart-Hash"), nil, false),
    ]

    @Test(arguments: applicationData)
    func `a token's application data must be what the configuration names`(
        source: TokenMatching.ApplicationData, hashed: String?, isAccepted: Bool
    ) async throws {
        let shop = try Shop(TokenMatching(applicationData: source))
        let request = try shop.request(["order.reference": "Füße"]) {
            $0.applicationData = hashed.map { Array($0.utf8) }
        }
        let hash = Hexadecimal.encoded(SHA256.hash(Array("cart".utf8)))
        let response = try await shop.gate.put(request, order: "order-7") { $0.fields = [("x-cart-hash", hash)] }
        #expect(response.status == (isAccepted ? 201 : 400))
        #expect(shop.gate.acquirer.commands.count == (isAccepted ? 1 : 0))
        guard !isAccepted else { return }
        #expect(response.string("error.field") == Self.token)
        #expect(response.string("error.explanation")?.contains("step 'transactionDetails'") == true)
    }

    @Test func `what application data is compared with must be in the request`() async throws {
        let reference = try Shop(TokenMatching(applicationData: .orderReference))
        #expect(
            try await reference.gate.put(try reference.request()).refusal
                == "400 | order.reference | MISSING | Missing parameter")
        let header = try Shop(TokenMatching(applicationData: .header(name: "X-Cart-Hash")))
        #expect(try await header.gate.put(try header.request()).refusal == "400 | - | - | Missing header 'X-Cart-Hash'")
        // Without a token there is nothing to compare.
        #expect(try await header.gate.put(try Example.changed(), order: "2").status == 201)
    }

    @Test(arguments: ["", "cart", "00", String(repeating: "0", count: 63), String(repeating: "g", count: 64), "AAAA"])
    func `a header that holds no hash is refused`(value: String) async throws {
        let shop = try Shop(TokenMatching(applicationData: .header(name: "X-Cart-Hash")))
        let refused =
            "400 | - | - | Header 'X-Cart-Hash' is invalid. Expected one SHA-256 in hexadecimal or base64"
        let response = try await shop.gate.put(try shop.request()) { $0.fields = [("X-Cart-Hash", value)] }
        #expect(response.refusal == refused)
    }

    @Test func `a header's hash may be of either form, and stands once`() async throws {
        let hash = SHA256.hash(Array("cart".utf8))
        for (index, value) in [Hexadecimal.encoded(hash).uppercased(), Base64.encoded(hash)].enumerated() {
            let shop = try Shop(TokenMatching(applicationData: .header(name: "X-Cart-Hash")))
            let request = try shop.request { $0.applicationData = Array("cart".utf8) }
            let twice = try await shop.gate.put(request, order: "\(index)") {
                $0.fields = [("X-Cart-Hash", value), ("X-Cart-Hash", value)]
            }
            #expect(twice.status == 400)
            let once = try await shop.gate.put(request, order: "\(index)") { $0.fields = [("X-Cart-Hash", value)] }
            #expect(once.status == 201)
        }
    }

    // MARK: Amount and currency

    @Test(arguments: TokenMatching.Total.allCases)
    func `amount and currency are compared as far as the configuration says`(total: TokenMatching.Total) async throws {
        let shop = try Shop(TokenMatching(total: total))
        let amount = try await shop.gate.put(try shop.request { $0.amountMinorUnits = 5657 }, order: "amount")
        let currency = try await shop.gate.put(try shop.request { $0.currencyCode = "978" }, order: "currency")
        #expect(amount.status == (total == .exact ? 400 : 201))
        #expect(currency.status == (total == .none ? 201 : 400))
    }

    @Test func `a card is verified with a token of whatever amount, in the order's currency`() async throws {
        let shop = try Shop()
        let verify: KeyValuePairs<String, JSONValue?> = ["apiOperation": "VERIFY", "order.amount": .none]
        #expect(try await shop.gate.put(try shop.request(verify) { $0.amountMinorUnits = 1 }).status == 201)
        let other = try await shop.gate.put(try shop.request(verify) { $0.currencyCode = "978" }, order: "2")
        #expect(other.refusal == Self.mismatch("The token is for 56.56 EUR, the order in USD."))
    }

    // MARK: Kinds of tokens

    @Test(arguments: TokenVersion.allCases, ["AUTHORIZE", "PAY"])
    func `EMV data reaches the acquirer and is shown as a format alone`(
        version: TokenVersion, operation: String
    ) async throws {
        let shop = try Shop()
        let pin = version == .rsa ? SecretText("00ff") : nil
        let request = try shop.request(["apiOperation": .string(operation)], version) {
            $0.emvPayment = .init(emvData: SecretText("nyYIAQIDBAUGBwg="), encryptedPINData: pin)
        }
        let response = try await shop.gate.put(request)
        #expect(response.status == 201)
        #expect(response.string("order.status") == (operation == "PAY" ? "CAPTURED" : "AUTHORIZED"))
        #expect(
            response.value?.at("sourceOfFunds.provided.card.devicePayment") == ["cryptogramFormat": "EMV"])
        #expect(
            shop.charged?.devicePayment == .emv(emvData: SecretText("nyYIAQIDBAUGBwg="), encryptedPINData: pin))
        for secret in ["nyYIAQID", "00ff\""] { #expect(!response.text.contains(secret)) }
    }

    @Test(arguments: TokenVersion.allCases, ["AUTHORIZE", "PAY"])
    func `a merchant token is authorized like any other`(version: TokenVersion, operation: String) async throws {
        let shop = try Shop()
        let request = try shop.request(["apiOperation": .string(operation)], version) {
            $0.merchantToken = .init(identifier: SecretText("token-1"), fpanSuffix: "4242", expirationDate: "12/39")
        }
        let response = try await shop.gate.put(request)
        #expect(response.status == 201)
        #expect(response.value?.at("sourceOfFunds.provided.card.devicePayment") == ["cryptogramFormat": "3DSECURE"])
        #expect(!response.text.contains("token-1"))
    }

    /// The payee and its amount, of 56.56, of which "one" has 6.56 and "two" 50.00, and whose cryptogram is charged.
    static let payees: [(payee: Payee, amount: String, charged: String?)] = [
        (.coordinator("one"), "6.56", "one"), (.coordinator("two"), "50.00", "two"),
        (.coordinator("shop"), "56.56", "whole"), (.coordinator("shop"), "50.00", nil),
        (.coordinator("one"), "56.56", nil), (.submerchantOfSeveral("two"), "50.00", "two"),
        (.submerchantOfSeveral("three"), "56.56", nil), (.submerchantOfSeveral("one"), "50.00", nil),
        (.whole, "56.56", "whole"), (.whole, "50.00", nil),
    ]

    @Test(arguments: payees, ["AUTHORIZE", "PAY"])
    func `of a payment for several the asking merchant's part counts`(
        row: (payee: Payee, amount: String, charged: String?), operation: String
    ) async throws {
        let shop = try Shop(TokenMatching(payee: row.payee))
        var cryptograms: [String: SecretText] = [:]
        let changes: KeyValuePairs<String, JSONValue?> = [
            "order.amount": .string(row.amount), "apiOperation": .string(operation),
        ]
        let request = try shop.request(changes) { order in
            order.submerchants = [
                .init(merchantIdentifier: "one", amountMinorUnits: 656),
                .init(merchantIdentifier: "two", amountMinorUnits: 5000),
            ]
            cryptograms["whole"] = order.onlinePaymentCryptogram
            for entry in order.submerchants { cryptograms[entry.merchantIdentifier] = entry.authenticationData }
        }
        let response = try await shop.gate.put(request)
        #expect(response.status == (row.charged == nil ? 400 : 201))
        guard let name = row.charged else {
            #expect(response.string("error.field") == Self.token)
            return
        }
        let cryptogram = try #require(cryptograms[name])
        #expect(
            shop.charged?.devicePayment == .threeDSecure(onlinePaymentCryptogram: cryptogram, eciIndicator: nil))
    }

    @Test(arguments: [Payee.coordinator("one"), .submerchantOfSeveral("one"), .whole])
    func `a payment for one merchant is the whole amount for every payee`(payee: Payee) async throws {
        let shop = try Shop(TokenMatching(payee: payee))
        #expect(try await shop.gate.put(try shop.request()).status == 201)
    }

    // MARK: Privileges

    @Test(arguments: ["AUTHORIZE", "PAY"])
    func `a wallet payment needs the privilege, also with a decrypted token`(operation: String) async throws {
        let shop = try Shop(privileges: [.applePayDecryption, .void, .refund])
        let operationChange: KeyValuePairs<String, JSONValue?> = ["apiOperation": .string(operation)]
        for request in [try shop.request(operationChange), try Example.changed(operationChange)] {
            let response = try await shop.gate.put(request)
            #expect(response.status == 400)
            #expect(
                response.string("error.explanation")?.hasSuffix("Missing merchant privilege 'Device Payments'") == true)
        }
        #expect(try await shop.gate.put(try Example.plain(operationChange)).status == 201)
    }

    @Test func `a token needs the privilege to have it opened, and its content doesn't`() async throws {
        let shop = try Shop(privileges: [.devicePayments])
        let response = try await shop.gate.put(try shop.request())
        #expect(response.status == 400)
        #expect(
            response.string("error.explanation")?.hasSuffix(
                "Missing merchant privilege 'Enable Decryption of Apple Pay Device Payments'") == true)
        #expect(try await shop.gate.put(try Example.changed()).status == 201)
    }
}
