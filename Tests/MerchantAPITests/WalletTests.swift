import ApplePaySandbox
import HTTP
import HTTPTypes
import JSON
import Payments
import TestSupport
import Testing
import Values

struct WalletTests {
    private static let card = "sourceOfFunds.provided.card"
    private static let token = card + ".devicePayment.paymentToken"

    @Test(arguments: [JSONValue.object(["version": "EC_v1"]), [], 1, true])
    func `a token is a string, and no JSON of another kind`(token: JSONValue) async throws {
        #expect(
            await (try TestAPI()).put(try Example.token(token)).refusal
                == "400 | \(Self.token) | INVALID | Value is invalid. Expected a string, not JSON of another kind: "
                + "JSON.stringify(event.payment.token.paymentData)")
    }

    @Test func `a token needs a wallet provider`() async throws {
        #expect(
            await (try TestAPI()).put(try Example.token("{}", ["order.walletProvider": .none])).refusal
                == "400 | order.walletProvider | MISSING | Missing parameter")
    }

    @Test(arguments: ["GOOGLE_PAY", "SAMSUNG_PAY", "VISA_CHECKOUT"])
    func `tokens of other wallets are not decrypted`(wallet: String) async throws {
        let refusal = await (try TestAPI()).put(
            try Example.token("{}", ["order.walletProvider": .string(wallet)])
        ).refusal
        #expect(
            refusal
                == "400 | order.walletProvider | UNSUPPORTED | Value '\(wallet)' is unsupported. Tokens of APPLE_PAY "
                + "can be decrypted"
        )
        // What the merchant decrypts may be of any wallet.
        let decrypted = await (try TestAPI()).put(try Example.changed(["order.walletProvider": .string(wallet)]))
        #expect(decrypted.string("order.walletProvider") == wallet)
    }

    @Test(arguments: [
        ("number", "5123450000000008"), ("securityCode", "123"), ("nameOnCard", "A"), ("expiry.month", "1"),
        ("expiry.year", "39"), ("devicePayment.onlinePaymentCryptogram", "IA/8pdiWftSsxpFT6wABoDABhgA="),
        ("devicePayment.eciIndicator", "5"), ("devicePayment.cryptogramFormat", "3DSECURE"),
    ])
    func `nothing that a token holds may stand beside it`(name: String, value: String) async throws {
        let path = Self.card + "." + name
        #expect(
            await (try TestAPI()).put(try Example.token("{}", [path: .string(value)])).refusal
                == "400 | \(path) | INVALID | Value is invalid. It must not be given together with a paymentToken, which "
                + "contains it"
        )
    }

    @Test func `an empty token is refused`() async throws {
        #expect(
            await (try TestAPI()).put(try Example.token("")).refusal
                == "400 | \(Self.token) | INVALID | Value is invalid. Length is 0 characters, but must be more than 0")
    }

    @Test func `the reply to a merchant without keys names the missing privilege`() async throws {
        #expect(
            await (try TestAPI()).put(try Example.token("{}")).refusal
                == "400 | \(Self.token) | INVALID | Value is invalid. Missing merchant privilege 'Enable Decryption "
                + "of Apple Pay Device Payments'"
        )
    }

    /// An API whose merchant opens the tokens that `mint` makes, at the tests' instant.
    private struct Wallet {
        let merchant: LocalMerchant
        let api: TestAPI

        init() throws {
            merchant = try LocalMerchant()
            api = try TestAPI(applePay: merchant.opener, at: LocalMerchant.instant)
        }

        func token(_ change: (inout MintOrder) -> Void = { _ in }) throws -> JSONValue {
            var order = try merchant.order()
            change(&order)
            return .string(try merchant.mint(order))
        }

        static let amount: KeyValuePairs<String, JSONValue?> = ["order.amount": "56.56"]
    }

    @Test(arguments: ["AUTHORIZE", "PAY"])
    func `a token and its decrypted content have the same answer and reach the acquirer alike`(operation: String)
        async throws
    {
        let wallet = try Wallet()
        let opened = await wallet.api.put(
            try Example.token(
                wallet.token {
                    $0.cardholderName = "Füße Müller"
                    $0.eciIndicator = "7"
                }, ["order.amount": "56.56", "apiOperation": .string(operation)]))
        #expect(opened.status == 201)
        let card = try #require(wallet.api.acquirer.commands.first?.card)
        let cryptogram = try #require(card.cryptogram).revealed()
        let decrypted = try TestAPI(at: LocalMerchant.instant)
        let sent = await decrypted.put(
            try Example.changed([
                "order.amount": "56.56", "apiOperation": .string(operation), Self.card + ".nameOnCard": "Füße Müller",
                Self.card + ".expiry": ["month": "12", "year": "39"],
                Self.card + ".devicePayment.onlinePaymentCryptogram": .string(cryptogram),
                Self.card + ".devicePayment.eciIndicator": "7",
            ]))
        #expect(opened == sent)
        #expect(decrypted.acquirer.commands.map(\.card) == [card])
        #expect(opened.string(Self.card + ".deviceSpecificNumber") == "512345xxxxxx0008")
        #expect(opened.value?.at(Self.card + ".devicePayment") == ["cryptogramFormat": "3DSECURE"])
    }

    @Test(arguments: ["5656", "5757", "5858", "5959", "6161", "6262", "6363"], ["AUTHORIZE", "PAY"])
    func `the seven amounts have their outcomes for tokens too`(amount: String, operation: String) async throws {
        let wallet = try Wallet()
        let minorUnits = try #require(Int64(amount)) * 100
        let opened = await wallet.api.put(
            try Example.token(
                wallet.token { $0.amountMinorUnits = minorUnits },
                ["order.amount": .string(amount), "apiOperation": .string(operation)]))
        let sent = await (try TestAPI(at: LocalMerchant.instant)).put(
            try Example.changed([
                "order.amount": .string(amount), "apiOperation": .string(operation),
                Self.card + ".expiry.month": "12",
            ]))
        #expect(opened.status == 201)
        #expect(opened == sent)
    }

    @Test func `a repeated token request has the same bytes, and a token pays once`() async throws {
        let wallet = try Wallet()
        let request = try Example.token(wallet.token(), Wallet.amount)
        let first = await wallet.api.put(request)
        #expect(first.status == 201)
        wallet.api.clock.advance(byMilliseconds: 3_600_000)
        #expect(await wallet.api.put(request) == first)
    }

    @Test func `a token that paid is refused for another order`() async throws {
        let wallet = try Wallet()
        let request = try Example.token(wallet.token(), Wallet.amount)
        #expect(await wallet.api.put(request).status == 201)
        let other = TestAPI.path.replacing("844205983", with: "other")
        #expect(
            await wallet.api.put(request, other).refusal
                == "400 | \(Self.token) | INVALID | Value is invalid. Apple Pay token refused at step 'replay': The "
                + "token paid for another transaction, or may have."
        )
    }

    @Test func `a token that was declined stays with its order`() async throws {
        let wallet = try Wallet()
        let request = try Example.token(
            wallet.token { $0.amountMinorUnits = 575_700 }, ["order.amount": "5757"])
        #expect(await wallet.api.put(request).string("result") == "FAILURE")
        let other = TestAPI.path.replacing("844205983", with: "other")
        #expect(
            await wallet.api.put(request, other).refusal
                == "400 | \(Self.token) | INVALID | Value is invalid. Apple Pay token refused at step 'replay': The "
                + "token was presented for another order before."
        )
        #expect(await wallet.api.put(request, TestAPI.path + "-2").status == 201)
    }

    @Test(arguments: [
        (
            "old", "signingTime",
            "Signed at 2021-09-01T18:58:09Z, 301 s before the transaction at 2021-09-01T19:03:10Z; 300 s are allowed."
        ),
        ("amount", "transactionDetails", "The token is for 56.57 USD, the order for 56.56 USD."),
        ("currency", "transactionDetails", "The token is for 56.56 EUR, the order for 56.56 USD."),
        ("text", "parse", "The token is not JSON: unexpectedCharacter 'x' at [character 1 line 1]."),
        ("empty", "parse", "The token is empty."),
        ("other", "chain", nil),
    ])
    func `a token that isn't good is refused by its step`(defect: String, step: String, finding: String?) async throws {
        let wallet = try Wallet()
        let token: JSONValue =
            switch defect {
            case "old":
                try wallet.token { $0.signingTime = $0.signingTime.advanced(byMilliseconds: -301_000) }
            case "amount": try wallet.token { $0.amountMinorUnits = 5657 }
            case "currency": try wallet.token { $0.currencyCode = "978" }
            case "text": "x"
            case "empty": "{}"
            default: try Wallet().token()
            }
        let response = await wallet.api.put(try Example.token(token, Wallet.amount))
        #expect(response.status == 400)
        #expect(response.string("error.field") == Self.token)
        #expect(response.string("error.validationType") == "INVALID")
        let explanation = try #require(response.string("error.explanation"))
        let start = "Value is invalid. Apple Pay token refused at step '\(step)': "
        #expect(explanation.hasPrefix(start))
        if let finding { #expect(explanation == start + finding) }
    }
}
