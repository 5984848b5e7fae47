import HTTP
import HTTPTypes
import JSON
import TestSupport
import Testing

struct ExampleTests {
    /// The seed's sample response, in the members' own order.
    static let sample = #"""
        { "authorizationResponse": { "commercialCard": "123", "commercialCardIndicator": "1", "date": "0314",
        "financialNetworkCode": "MCC", "posData": "1025104006600", "posEntryMode": "812", "processingCode": "003000",
        "responseCode": "00", "stan": "46465", "time": "101534", "transactionIdentifier": "447345902",
        "transactionIntegrityClass": "A1" }, "device": { "ani": "12341234" }, "gatewayEntryPoint": "WEB_SERVICES_API",
        "merchant": "TESTMERCHANT", "order": { "amount": 30.10, "authenticationStatus":
        "AUTHENTICATION_NOT_IN_EFFECT", "certainty": "FINAL", "chargeback": { "amount": 0, "currency": "USD" },
        "creationTime": "2023-03-14T10:15:33.819Z", "currency": "USD", "id": "844205983", "lastUpdatedTime":
        "2023-03-14T10:15:34.265Z", "merchantAmount": 30.10, "merchantCategoryCode": "1234", "merchantCurrency":
        "USD", "status": "AUTHORIZED", "totalAuthorizedAmount": 30.10, "totalCapturedAmount": 0.00,
        "totalDisbursedAmount": 0.00, "totalRefundedAmount": 0.00, "walletProvider": "APPLE_PAY" }, "response": {
        "acquirerCode": "00", "acquirerMessage": "Approved", "gatewayCode": "APPROVED", "gatewayRecommendation":
        "PROCEED" }, "result": "SUCCESS", "sourceOfFunds": { "provided": { "card": { "brand": "MASTERCARD",
        "devicePayment": { "cryptogramFormat": "3DSECURE" }, "deviceSpecificExpiry": { "month": "1", "year": "39" },
        "deviceSpecificNumber": "512345xxxxxx0008", "encryption": "DEVICE", "expiry": { "month": "11", "year": "27" },
        "fundingMethod": "UNKNOWN", "number": "xxxxxxxxxxxxxxxx", "scheme": "MASTERCARD", "storedOnFile": "NOT_STORED"
        } }, "type": "CARD" }, "timeOfLastUpdate": "2023-03-14T10:15:34.265Z", "timeOfRecord":
        "2023-03-14T10:15:33.930Z", "transaction": { "acquirer": { "batch": 20230314, "date": "0314", "id":
        "SYSTEST_ACQ_S2I", "merchantId": "12345678", "transactionId": "447345902" }, "amount": 30.10,
        "authenticationStatus": "AUTHENTICATION_NOT_IN_EFFECT", "authorizationCode": "112233", "currency": "USD",
        "id": "950596203", "receipt": "307310046465", "source": "INTERNET", "stan": "46465", "terminal": "1111",
        "type": "AUTHORIZATION" }, "version": "71" }
        """#

    /// What differs from the sample, and why.
    static let differences: KeyValuePairs<String, JSONValue?> = [
        // One instant makes all four times.
        "order.creationTime": "2023-03-14T10:15:34.265Z",
        "timeOfRecord": "2023-03-14T10:15:34.265Z",
        // The padded trace audit number, as on the real test acquirers.
        "transaction.authorizationCode": "046465",
        // Masked 0.4, as the page's text says.
        "sourceOfFunds.provided.card.number": "xxxxxxxxxxxx1118",
        // The page names the default and the sample has none: our choice is to show it.
        "posTerminal.location": "PAYER_TERMINAL_OFF_PREMISES",
    ]

    static func expected() throws -> JSONValue {
        var expected = try JSONValue(parsing: sample)
        for (path, value) in differences { expected.set(path.split(separator: ".").map(String.init)[...], value) }
        return expected
    }

    @Test func `the documented example has the documented response byte for byte but for times and identifiers`()
        async throws
    {
        let response = await (try TestAPI()).send(.put, body: Example.text)
        #expect(response.status == 201)
        #expect(response.text == String(decoding: try Self.expected().serialized(), as: UTF8.self))
    }

    /// What differs from the sample in the reply to the page's first example, whose token is the sample's card.
    static let differencesOfToken: KeyValuePairs<String, JSONValue?> = [
        // The first example names no telephone.
        "device": .none,
        "order.amount": .decimal("61.00"), "order.merchantAmount": .decimal("61.00"),
        "order.totalAuthorizedAmount": .decimal("61.00"), "transaction.amount": .decimal("61.00"),
        "sourceOfFunds.provided.card.deviceSpecificExpiry": ["month": "12", "year": "39"],
    ]

    @Test func `the page's first example, with a token in place of its elided one, has the documented response`()
        async throws
    {
        let merchant = try LocalMerchant()
        let api = try TestAPI(applePay: merchant.opener, at: TestPayment.instant)
        let token = try merchant.mint(try merchant.order(amountMinorUnits: 6100, at: TestPayment.instant))
        let response = await api.put([
            "apiOperation": "AUTHORIZE",
            "order": ["currency": "USD", "amount": "61.00", "walletProvider": "APPLE_PAY"],
            "sourceOfFunds": [
                "type": "CARD", "provided": ["card": ["devicePayment": ["paymentToken": .string(token)]]],
            ],
            "transaction": ["source": "INTERNET"],
        ])
        #expect(response.status == 201)
        var expected = try Self.expected()
        for (path, value) in Self.differencesOfToken {
            expected.set(path.split(separator: ".").map(String.init)[...], value)
        }
        #expect(response.text == String(decoding: expected.serialized(), as: UTF8.self))
    }

    @Test func `the sample is itself in the order in which replies are written`() throws {
        let compact = Self.sample.filter { $0 != " " && $0 != "\n" }
        #expect(String(decoding: try JSONValue(parsing: Self.sample).serialized(), as: UTF8.self) == compact)
    }

    @Test func `replies carry the real gateway's header fields`() async throws {
        let fields = await (try TestAPI()).send(.put, body: Example.text).head.headerFields
        #expect(fields[.contentType] == "application/json;charset=UTF-8")
        #expect(fields[.cacheControl] == "no-cache, no-store, must-revalidate")
        #expect(fields[.expires] == "0")
        #expect(HTTPField.Name("Pragma").flatMap { fields[$0] } == "no-cache")
    }

    static let rows: [(amount: String, code: String, result: String, authorized: String, status: [String])] = [
        ("5656", "APPROVED", "SUCCESS", "5656.00", ["AUTHORIZED", "CAPTURED"]),
        ("5757", "DECLINED", "FAILURE", "0.00", ["FAILED", "FAILED"]),
        ("5858", "TIMED_OUT", "FAILURE", "0.00", ["FAILED", "FAILED"]),
        ("5959", "UNSPECIFIED_FAILURE", "FAILURE", "0.00", ["FAILED", "FAILED"]),
        ("6161", "PARTIALLY_APPROVED", "SUCCESS", "3080.50", ["AUTHORIZED", "CAPTURED"]),
        ("6262", "SYSTEM_ERROR", "FAILURE", "0.00", ["FAILED", "FAILED"]),
        ("6363", "UNKNOWN", "UNKNOWN", "0.00", ["FAILED", "FAILED"]),
        ("56.56", "APPROVED", "SUCCESS", "56.56", ["AUTHORIZED", "CAPTURED"]),
    ]

    @Test(arguments: rows.indices, ["AUTHORIZE", "PAY"])
    func `each documented amount has its outcome, and all of them are created`(row: Int, operation: String) async throws
    {
        let row = Self.rows[row]
        let isPay = operation == "PAY"
        let response = await (try TestAPI()).put(
            try Example.changed(["apiOperation": .string(operation), "order.amount": .string(row.amount)]))
        #expect(response.status == 201)
        #expect(response.string("response.gatewayCode") == row.code)
        #expect(response.string("result") == row.result)
        #expect(response.string("order.status") == row.status[isPay ? 1 : 0])
        #expect(response.string("transaction.type") == (isPay ? "PAYMENT" : "AUTHORIZATION"))
        #expect(response.value?.at("order.totalAuthorizedAmount") == JSONNumber(row.authorized).map(JSONValue.number))
        #expect(
            response.value?.at("order.totalCapturedAmount")
                == JSONNumber(isPay ? row.authorized : "0.00").map(JSONValue.number))
        #expect((response.value?.at("order.certainty") == nil) == isPay)
        let isAnswered = ["APPROVED", "DECLINED", "PARTIALLY_APPROVED"].contains(row.code)
        #expect((response.value?.at("authorizationResponse") != nil) == isAnswered)
        #expect((response.value?.at("response.acquirerCode") != nil) == isAnswered)
        #expect((response.value?.at("transaction.authorizationCode") != nil) == (row.result == "SUCCESS"))
    }

    @Test(arguments: [("JPY", "30", "30"), ("USD", "30", "30.00"), ("KWD", "30.1", "30.100")])
    func `amounts are numbers with all the decimals of their currency`(code: String, amount: String, written: String)
        async throws
    {
        let response = await (try TestAPI()).put(
            try Example.changed(["order.currency": .string(code), "order.amount": .string(amount)]))
        let number = JSONNumber(written).map(JSONValue.number)
        for path in ["order.amount", "order.merchantAmount", "order.totalAuthorizedAmount", "transaction.amount"] {
            #expect(response.value?.at(path) == number)
        }
        #expect(response.value?.at("order.chargeback.amount") == 0)
    }

    @Test func `a card in clear is masked 6.4 and has no device's members`() async throws {
        let response = await (try TestAPI()).put(
            try Example.plain(["sourceOfFunds.provided.card.storedOnFile": "TO_BE_STORED"]))
        #expect(
            response.value?.at("sourceOfFunds") == [
                "provided": [
                    "card": [
                        "brand": "MASTERCARD", "expiry": ["month": "1", "year": "39"], "fundingMethod": "CREDIT",
                        "number": "512345xxxxxx0008", "scheme": "MASTERCARD", "storedOnFile": "TO_BE_STORED",
                    ]
                ], "type": "CARD",
            ])
    }

    @Test func `what the merchant sent is echoed at its place`() async throws {
        let response = await (try TestAPI()).put(
            try Example.changed([
                "correlationId": "c-1", "order.reference": "r-1", "order.description": "Füße \"2\"",
                "transaction.reference": "t-1", "device.mobilePhoneModel": "iPhone 17",
                "posTerminal.location": "PAYER_TERMINAL_ON_PREMISES", "billing.address.country": "DEU",
                "customer.email": "a@example.com", "shipping.contact.lastName": "Meyer",
            ]))
        #expect(response.status == 201)
        #expect(response.string("correlationId") == "c-1")
        #expect(response.string("order.reference") == "r-1")
        #expect(response.string("order.description") == "Füße \"2\"")
        #expect(response.string("order.status") == "AUTHORIZED")
        #expect(response.string("transaction.reference") == "t-1")
        #expect(response.value?.at("device") == ["ani": "12341234", "mobilePhoneModel": "iPhone 17"])
        #expect(response.string("posTerminal.location") == "PAYER_TERMINAL_ON_PREMISES")
        #expect(response.string("billing.address.country") == "DEU")
        #expect(response.string("customer.email") == "a@example.com")
        #expect(response.string("shipping.contact.lastName") == "Meyer")
    }
}
