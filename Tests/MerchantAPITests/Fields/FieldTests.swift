import HTTP
import HTTPTypes
import JSON
import Payments
import Testing
import Values

struct FieldTests {
    private static let card = "sourceOfFunds.provided.card"
    private static let device = "sourceOfFunds.provided.card.devicePayment"
    private static func text(_ count: Int) -> JSONValue { .string(String(repeating: "a", count: count)) }

    struct Row: Sendable, CustomTestStringConvertible {
        let path: String
        let value: JSONValue?
        let field: String
        let type: String
        let explanation: String
        var testDescription: String { "\(path): \(explanation)" }

        /// The member at `path` becomes `value`, and the refusal names that path unless another field is said.
        init(_ path: String, _ value: JSONValue?, _ type: String, _ explanation: String, field: String? = nil) {
            self.path = path
            self.value = value
            self.field = field ?? path
            self.type = type
            self.explanation = explanation
        }
    }

    static let rows: [Row] =
        missing + operations + amounts + texts + enumerations + cards + devices
        + [
            Row("order", "text", "INVALID", "Value is invalid. Expected an object"),
            Row("order.reference", .decimal("7.5"), "INVALID", "Value is invalid. Expected a string"),
            Row("order.walletProvider", ["a": 1], "INVALID", "Value is invalid. Expected a string"),
            Row("device.ani", ["12341234"], "INVALID", "Value is invalid. Expected a string"),
        ]

    private static let missing = [
        Row("apiOperation", .none, "MISSING", "Missing parameter"),
        Row("order", .none, "MISSING", "Missing parameter", field: "order.currency"),
        Row("order.currency", .none, "MISSING", "Missing parameter"),
        Row("order.amount", .none, "MISSING", "Missing parameter"),
        Row("sourceOfFunds", .none, "MISSING", "Missing parameter"),
        Row("sourceOfFunds.provided", .none, "MISSING", "Missing parameter", field: card + ".number"),
        Row(card, [:], "MISSING", "Missing parameter", field: card + ".number"),
        Row(card + ".number", .none, "MISSING", "Missing parameter"),
        Row(card + ".expiry", .none, "MISSING", "Missing parameter", field: card + ".expiry.month"),
        Row(card + ".expiry.month", .none, "MISSING", "Missing parameter"),
        Row(card + ".expiry.year", .none, "MISSING", "Missing parameter"),
        Row(device + ".cryptogramFormat", .none, "MISSING", "Missing parameter"),
        Row(device + ".onlinePaymentCryptogram", .none, "MISSING", "Missing parameter"),
    ]

    private static let served = "AUTHORIZE, CAPTURE, PAY, REFUND, UPDATE_AUTHORIZATION, VERIFY or VOID"
    private static let operations =
        [
            Row("apiOperation", 1, "INVALID", "Value is invalid. Expected a string"),
            Row("apiOperation", "authorize", "INVALID", "Value 'authorize' is invalid. Expected \(served)"),
        ]
        + ["DISBURSEMENT", "INITIATE_CHECKOUT", "BALANCE_INQUIRY"].map {
            Row(
                "apiOperation", .string($0), "UNSUPPORTED",
                "Value '\($0)' is unsupported. This gateway performs \(served)")
        }

    private static let decimal = "Expected digits, optionally followed by a point and more digits"
    private static let amounts =
        ["", ".", "1.", ".5", "+1", "-1", "1e2", " 1", "1,00", "1.2.3", "１", "0x10", "NaN"].map {
            Row("order.amount", .string($0), "INVALID", "Value '\($0)' is invalid. \(decimal)")
        } + [
            Row("order.amount", .decimal("1e2"), "INVALID", "Value '1e2' is invalid. \(decimal)"),
            Row("order.amount", -1, "INVALID", "Value '-1' is invalid. \(decimal)"),
            Row("order.amount", true, "INVALID", "Value is invalid. Expected a decimal number, as text or as a number"),
            Row("order.amount", [:], "INVALID", "Value is invalid. Expected a decimal number, as text or as a number"),
            Row("order.amount", "30.101", "INVALID", "Value '30.101' is invalid. USD has at most 2 decimals"),
            Row(
                "order.amount", "000000000030.10", "INVALID",
                "Value '000000000030.10' is invalid. Length is 15 characters, but must be less than 15"),
            Row(
                "order.amount", "1000000000001", "INVALID",
                "Value '1000000000001' is invalid. It must not be more than 1000000000000"),
            Row(
                "order.amount", "0.00", "INVALID",
                "Value '0.00' is invalid. Transaction or order amount must be greater than zero"),
            Row(
                "order.currency", "US", "INVALID",
                "Value 'US' is invalid. Length is 2 characters, but must be more than 2"),
            Row("order.currency", "usd", "INVALID", "Value 'usd' is invalid. Expected three capital letters"),
            Row("order.currency", "XXX", "INVALID", "Value 'XXX' is invalid. ISO 4217 lists no such currency"),
        ]

    private static let texts = [
        Row(
            "order.reference", text(41), "INVALID",
            "Value is invalid. Length is 41 characters, but must be less than 41"),
        Row("order.reference", "", "INVALID", "Value '' is invalid. Length is 0 characters, but must be more than 0"),
        Row("order.reference", "a\u{0}b", "INVALID", "Value is invalid. It contains a control character"),
        Row(
            "correlationId", text(101), "INVALID",
            "Value is invalid. Length is 101 characters, but must be less than 101"),
        Row(
            "device.ani", "12345678901", "INVALID",
            "Value '12345678901' is invalid. Length is 11 characters, but must be less than 11"),
        Row(
            "device.mobilePhoneModel", text(256), "INVALID",
            "Value is invalid. Length is 256 characters, but must be less than 256"),
        Row("device.ipAddress", "localhost", "INVALID", "Value 'localhost' is invalid. Expected an IP address"),
        Row("customer.email", "nobody", "INVALID", "Value 'nobody' is invalid. Expected an email address"),
        Row(
            "billing.address.country", "de", "INVALID",
            "Value 'de' is invalid. Length is 2 characters, but must be more than 2"),
        Row(
            "shipping.address.postcodeZip", "D_10115", "INVALID",
            "Value 'D_10115' is invalid. Expected letters, digits, spaces and hyphens"),
        Row(
            "order.notificationUrl", "ftp://a.example", "INVALID",
            "Value 'ftp://a.example' is invalid. Expected a URL that begins with https:// or http://"),
    ]

    private static let enumerations = [
        Row(
            "transaction.source", "internet", "INVALID",
            "Value 'internet' is invalid. Expected CALL_CENTRE, CARD_PRESENT, INTERNET, MAIL_ORDER, MERCHANT, MOTO, "
                + "PAYER_PRESENT, TELEPHONE_ORDER, VOICE_RESPONSE"
        ),
        Row("order.certainty", "MAYBE", "INVALID", "Value 'MAYBE' is invalid. Expected ESTIMATED, FINAL"),
        Row(
            "order.walletProvider", "PAYPAL", "INVALID",
            "Value 'PAYPAL' is invalid. Expected AMEX_EXPRESS_CHECKOUT, APPLE_PAY, CHASE_PAY, GOOGLE_PAY, "
                + "MASTERPASS_ONLINE, SAMSUNG_PAY, SECURE_REMOTE_COMMERCE, VISA_CHECKOUT"
        ),
        Row("sourceOfFunds.type", "MONEY", "INVALID", "Value 'MONEY' is invalid. Expected CARD"),
        Row("sourceOfFunds.type", "GIFT_CARD", "UNSUPPORTED", "Value 'GIFT_CARD' is unsupported. Expected CARD"),
        Row(
            card + ".storedOnFile", "YES", "INVALID",
            "Value 'YES' is invalid. Expected NOT_STORED, STORED, TO_BE_STORED"),
        Row(
            "posTerminal.location", "HERE", "INVALID",
            "Value 'HERE' is invalid. Expected PAYER_TERMINAL_OFF_PREMISES, PAYER_TERMINAL_ON_PREMISES, "
                + "MERCHANT_TERMINAL_OFF_PREMISES, MERCHANT_TERMINAL_ON_PREMISES, NO_TERMINAL_VOICE_OR_AUDIO_RESPONSE"
        ),
        Row(device + ".cryptogramFormat", "3DS", "INVALID", "Value '3DS' is invalid. Expected 3DSECURE"),
        Row(device + ".cryptogramFormat", "EMV", "UNSUPPORTED", "Value 'EMV' is unsupported. Expected 3DSECURE"),
    ]

    private static let cards = [
        Row(
            card + ".number", "51234500", "INVALID", "Value is invalid. Length is 8 characters, but must be more than 8"
        ),
        Row(
            card + ".number", "51234500000000081234", "INVALID",
            "Value is invalid. Length is 20 characters, but must be less than 20"),
        Row(card + ".number", "512345000000X008", "INVALID", "Value is invalid. Expected digits"),
        Row(
            card + ".number", .decimal("-5123450000000008"), "INVALID",
            "Value is invalid. Expected a string, not JSON of another kind"),
        Row(card + ".expiry.month", "13", "INVALID", "Value is invalid. Expected 1 to 12"),
        Row(card + ".expiry.month", "0", "INVALID", "Value is invalid. Expected 1 to 12"),
        Row(card + ".expiry.month", "001", "INVALID", "Value is invalid. Expected 1 or 2 digits"),
        Row(card + ".expiry.month", .decimal("1.0"), "INVALID", "Value is invalid. Expected 1 or 2 digits"),
        Row(card + ".expiry.month", true, "INVALID", "Value is invalid. Expected digits"),
        Row(card + ".expiry.year", "2039", "INVALID", "Value is invalid. Expected 2 digits"),
        Row(card + ".expiry.year", "+9", "INVALID", "Value is invalid. Expected 2 digits"),
        Row(
            card + ".securityCode", "12", "INVALID", "Value is invalid. Length is 2 characters, but must be more than 2"
        ),
        Row(card + ".securityCode", "12a", "INVALID", "Value is invalid. Expected digits"),
        Row(card + ".nameOnCard", "", "INVALID", "Value is invalid. Length is 0 characters, but must be more than 0"),
        Row(
            card + ".nameOnCard", text(257), "INVALID",
            "Value is invalid. Length is 257 characters, but must be less than 257"),
    ]

    private static let devices = [
        Row(device, "text", "INVALID", "Value is invalid. Expected an object"),
        Row(
            device + ".onlinePaymentCryptogram", "", "INVALID",
            "Value is invalid. Length is 0 characters, but must be more than 0"),
        Row(device + ".onlinePaymentCryptogram", "not base64", "INVALID", "Value is invalid. Expected base64"),
        Row(
            device + ".onlinePaymentCryptogram", text(132), "INVALID",
            "Value is invalid. Length is 132 characters, but must be less than 129"),
        Row(
            device + ".eciIndicator", "020", "INVALID",
            "Value is invalid. Length is 3 characters, but must be less than 3"),
        Row(device + ".eciIndicator", "0x", "INVALID", "Value is invalid. Expected digits"),
        Row(device + ".eciIndicator", -5, "INVALID", "Value is invalid. Expected a string, not JSON of another kind"),
    ]

    @Test(arguments: rows)
    func `the error for a broken field names it`(row: Row) async throws {
        let api = try TestAPI()
        let response = await api.put(try Example.changed([row.path: row.value]))
        #expect(response.refusal == "400 | \(row.field) | \(row.type) | \(row.explanation)")
        #expect(response.string("error.cause") == "INVALID_REQUEST")
        #expect(api.acquirer.commands.isEmpty)
    }

    @Test(arguments: [
        "x", "order.x", "order.Amount", "apioperation", "transaction.amount", "session.x", "3DSecure.x",
        "sourceOfFunds.provided.card.devicePayment.x", "device.ani2",
    ])
    func `a field that the operation doesn't have is refused by its path`(path: String) async throws {
        let response = await (try TestAPI()).put(try Example.changed([path: "1"]))
        #expect(response.refusal == "400 | - | - | Unexpected parameter '\(path)'")
        #expect(await (try TestAPI()).put(try Example.changed([path: .some(.null)])).status == 201)
    }

    @Test(arguments: [
        ("order.id", "a", 41), ("order.id", "é", 42), ("transaction.id", "a", 100),
    ])
    func `an identifier of the path is 1 to 40 characters`(field: String, character: String, count: Int) async throws {
        let identifier = String(repeating: character, count: count)
        let segment = character == "é" ? String(repeating: "%C3%A9", count: count) : identifier
        let path =
            field == "order.id"
            ? "/api/rest/version/71/merchant/TESTMERCHANT/order/\(segment)/transaction/1"
            : "/api/rest/version/71/merchant/TESTMERCHANT/order/1/transaction/\(segment)"
        for method in ["PUT", "GET"] {
            let response = await (try TestAPI()).send(method == "PUT" ? .put : .get, path, body: Example.text)
            #expect(
                response.refusal
                    == "400 | \(field) | INVALID | Value '\(identifier)' is invalid. Length is \(count) characters, "
                    + "but must be less than 41"
            )
        }
    }

    @Test func `identifiers of 40 characters and of none`() async throws {
        let api = try TestAPI()
        let forty = String(repeating: "é", count: 40)
        let encoded = String(repeating: "%C3%A9", count: 40)
        let response = await api.send(
            .put, "/api/rest/version/71/merchant/TESTMERCHANT/order/\(encoded)/transaction/a%2Fb%20c",
            body: Example.text)
        #expect(response.status == 201)
        #expect(response.string("order.id") == forty)
        #expect(response.string("transaction.id") == "a/b c")
        let empty = "/api/rest/version/71/merchant/TESTMERCHANT/order//transaction/1"
        #expect(
            await api.send(.put, empty, body: Example.text).refusal == "400 | order.id | MISSING | Missing parameter")
    }

    @Test(arguments: [
        "order.walletProvider", "order", "sourceOfFunds.provided.card.securityCode", "device", "device.ani",
        "transaction",
        "sourceOfFunds.type", "session", "correlationId", "sourceOfFunds.provided.card.devicePayment.paymentToken",
    ])
    func `null is the same as nothing`(path: String) async throws {
        let without = await (try TestAPI()).put(try Example.changed([path: .none]))
        let null = await (try TestAPI()).put(try Example.changed([path: .some(.null)]))
        #expect(without == null)
    }

    @Test(arguments: ["30.10", "30.1", "30"])
    func `an amount may be a number, and an expiry too`(amount: String) async throws {
        let number = try #require(JSONNumber(amount))
        let asText = await (try TestAPI()).put(try Example.changed(["order.amount": .string(amount)]))
        let asNumber = await (try TestAPI()).put(
            try Example.changed([
                "order.amount": .number(number), "sourceOfFunds.provided.card.expiry": ["month": 1, "year": 39],
            ]))
        #expect(asText.status == 201)
        #expect(asText == asNumber)
    }

    @Test func `a merchant pays only in its currencies`() async throws {
        let path = TestAPI.path.replacing("TESTMERCHANT", with: "TESTOTHER")
        let response = await (try TestAPI()).send(
            .put, path, bytes: try Example.changed(["order.currency": "EUR"]).serialized(),
            authorization: [TestAPI.credentials("TESTOTHER")])
        #expect(
            response.refusal
                == "400 | order.currency | INVALID | Value 'EUR' is invalid. No valid Merchant Acquirer Relationship "
                + "available"
        )
    }

    @Test func `a typed card number needs its check digit, and a device's doesn't`() async throws {
        let number: JSONValue = "5123450000000009"
        let typed = await (try TestAPI()).put(try Example.plain([Self.card + ".number": number]))
        #expect(typed.refusal == "400 | \(Self.card).number | INVALID | Value is invalid. The check digit is wrong")
        #expect(await (try TestAPI()).put(try Example.changed([Self.card + ".number": number])).status == 201)
    }

    @Test func `an empty devicePayment is a card in clear`() async throws {
        let api = try TestAPI()
        let response = await api.put(try Example.plain([Self.device: ["cryptogramFormat": .null]]))
        #expect(response.status == 201)
        #expect(api.acquirer.commands.first?.card?.cryptogram == nil)
    }

    @Test func `the acquirer is given exactly what the merchant sent`() async throws {
        let api = try TestAPI()
        _ = await api.put(
            try Example.changed([Self.card + ".nameOnCard": "Füße  Müller", Self.device + ".eciIndicator": "07"]))
        let card = try #require(api.acquirer.commands.first?.card)
        #expect(card.accountNumber.revealed() == "5123450000000008")
        #expect(card.expiry.month == 1 && card.expiry.year == 39)
        #expect(card.nameOnCard?.revealed() == "Füße  Müller")
        #expect(card.cryptogram?.revealed() == "IA/8pdiWftSsxpFT6wABoDABhgA=")
        #expect(card.eciIndicator == "07")
        #expect(card.securityCode == nil)
        #expect(api.acquirer.commands.first?.amount.description == "30.10")
    }
}
