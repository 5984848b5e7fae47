import HTTP
import HTTPTypes
import JSON
import Testing

/// The fields of the operations beyond those of AUTHORIZE, which ``FieldTests`` has.
struct OperationFieldTests {
    private static func request(_ operation: String) throws -> JSONValue {
        switch operation {
        case "VERIFY": try Example.plain(["apiOperation": "VERIFY", "order.amount": .none])
        case "VOID": ["apiOperation": "VOID", "transaction": ["targetTransactionId": "950596203"]]
        case "CAPTURE", "REFUND", "UPDATE_AUTHORIZATION":
            ["apiOperation": .string(operation), "transaction": ["amount": "10.00", "currency": "USD"]]
        default: try Example.plain(["apiOperation": .string(operation)])
        }
    }

    private static func changed(_ operation: String, _ path: String, _ value: JSONValue?) throws -> JSONValue {
        var request = try request(operation)
        request.set(path.split(separator: ".").map(String.init)[...], value)
        return request
    }

    @Test(arguments: [
        ("CAPTURE", "transaction.amount"), ("CAPTURE", "transaction.currency"), ("REFUND", "transaction.amount"),
        ("REFUND", "transaction.currency"), ("UPDATE_AUTHORIZATION", "transaction.amount"),
        ("UPDATE_AUTHORIZATION", "transaction.currency"), ("VOID", "transaction.targetTransactionId"),
        ("VERIFY", "order.currency"), ("VERIFY", "sourceOfFunds"), ("PAY", "order.amount"),
    ])
    func `the error names a missing field of an operation`(operation: String, path: String) async throws {
        let response = await (try TestAPI()).put(try Self.changed(operation, path, .none))
        #expect(response.refusal == "400 | \(path) | MISSING | Missing parameter")
        let null = await (try TestAPI()).put(try Self.changed(operation, path, .some(.null)))
        #expect(null.refusal == response.refusal)
    }

    @Test(arguments: [
        ("CAPTURE", "order.amount"), ("REFUND", "order.amount"), ("VOID", "transaction.amount"),
        ("PAY", "transaction.amount"), ("PAY", "transaction.targetTransactionId"), ("CAPTURE", "x"),
        ("VERIFY", "transaction.taxAmount"), ("VOID", "order.item"),
    ])
    func `a field of another operation is unexpected`(operation: String, path: String) async throws {
        let response = await (try TestAPI()).put(try Self.changed(operation, path, "1"))
        #expect(response.refusal == "400 | - | - | Unexpected parameter '\(path)'")
    }

    @Test(arguments: [
        ("PAY", "3DSecureId"), ("PAY", "authentication.transactionId"), ("PAY", "paymentPlan"),
        ("PAY", "currencyConversion"), ("PAY", "accountFunding"), ("PAY", "order.purchaseType"),
        ("PAY", "sourceOfFunds.provided.card.track2"), ("PAY", "sourceOfFunds.provided.giftCard"),
        ("CAPTURE", "sourceOfFunds.provided"), ("VOID", "sourceOfFunds.token"), ("REFUND", "action"),
    ])
    func `what isn't simulated is unsupported if there is anything in it`(operation: String, path: String) async throws
    {
        for value: JSONValue in ["x", ["a": [1]], [false]] {
            let response = await (try TestAPI()).put(try Self.changed(operation, path, value))
            #expect(response.refusal == "400 | \(path) | UNSUPPORTED | Unsupported parameter")
        }
        for value: JSONValue in [.null, [:], [], ["a": [:], "b": .null, "c": [["d": .null]]]] {
            let api = try TestAPI()
            #expect(await api.put(try Example.plain(), TestAPI.path).status == 201)
            let response = await api.put(try Self.changed(operation, path, value), TestAPI.path + "-2")
            #expect(response.string("error.field") != path)
            #expect(response.string("error.validationType") != "UNSUPPORTED")
            #expect(response.string("error.explanation")?.contains("'\(path)'") != true)
        }
    }

    @Test(arguments: ["INITIATE_AUTHENTICATION", "AUTHENTICATE_PAYER", "CHECK_3DS_ENROLLMENT", "PROCESS_ACS_RESULT"])
    func `payer authentication is refused in the recorded words`(operation: String) async throws {
        #expect(
            await (try TestAPI()).put(["apiOperation": .string(operation), "x": 1]).refusal
                == "400 | - | - | Merchant : TESTMERCHANT is not configured to support 3D Secure operations for this "
                + "card type."
        )
    }

    @Test func `the paths of 3-D Secure and balance inquiries are known`() async throws {
        let merchant = "/api/rest/version/57/merchant/TESTMERCHANT/"
        for method in [HTTPRequest.Method.get, .post, .put] {
            let response = await (try TestAPI()).send(method, merchant + "3DSecureId/1")
            #expect(response.string("error.explanation")?.contains("3D Secure operations") == true)
        }
        #expect(await (try TestAPI()).send(.put, merchant + "3DSecureId/1", body: "{").status == 400)
        #expect(await (try TestAPI()).send(.put, merchant + "3DSecureId/1", authorization: []).status == 401)
        #expect(await (try TestAPI()).send(.delete, merchant + "3DSecureId/1").status == 405)
        #expect(
            await (try TestAPI()).send(.put, merchant + "balanceInquiry", body: "{}").refusal
                == "400 | apiOperation | UNSUPPORTED | Value 'BALANCE_INQUIRY' is unsupported. This gateway has no gift "
                + "cards"
        )
        #expect(await (try TestAPI()).send(.put, merchant + "balanceInquiry", authorization: []).status == 401)
    }

    static let broken: [(path: String, value: JSONValue, explanation: String)] = [
        ("order.item", "Cap", "Value is invalid. Expected an array"),
        ("order.item", ["name": "Cap"], "Value is invalid. Expected an array"),
        ("order.taxAmount", "1.001", "Value '1.001' is invalid. USD has at most 2 decimals"),
        (
            "order.taxAmount", "-1",
            "Value '-1' is invalid. Expected digits, optionally followed by a point and more digits"
        ),
        ("order.acceptPartialAmount", "true", "Value is invalid. Expected true or false"),
        ("order.merchantCategoryCode", "12a4", "Value '12a4' is invalid. Expected digits"),
        ("order.custom", "x", "Value is invalid. Expected an object"),
        (
            "order.shippingAndHandlingTaxRate", ".5",
            "Value '.5' is invalid. Expected digits, optionally followed by a point and more digits"
        ),
        (
            "order.shippingAndHandlingTaxRate", "0.12345",
            "Value '0.12345' is invalid. Length is 7 characters, but must be less than 7"
        ),
        ("agreement.numberOfPayments", 1000, "Value '1000' is invalid. Expected a whole number from 1 to 999"),
        (
            "agreement.numberOfPayments", .decimal("1.0"),
            "Value '1.0' is invalid. Expected a whole number from 1 to 999"
        ),
        (
            "agreement.startDate", "2026-1-01",
            "Value '2026-1-01' is invalid. Length is 9 characters, but must be more than 9"
        ),
        ("agreement.startDate", "2026/01/01", "Value '2026/01/01' is invalid. Expected a date, yyyy-mm-dd"),
        (
            "session.id", "SESSIONABCDEFGHIJKLMNOPQRSTUVWXYZABC",
            "Value is invalid. Length is 36 characters, but must be less than 36"
        ),
        (
            "transaction.frequency", "PAYMENT_PLAN",
            "Value 'PAYMENT_PLAN' is unsupported. Expected INSTALLMENT, RECURRING, SINGLE"
        ),
        ("sourceOfFunds.token", "97-1", "Value '97-1' is invalid. Expected letters and digits"),
        ("transaction.id", "2", "Value '2' is invalid. The url path has another one"),
    ]

    @Test(arguments: broken.indices)
    func `the error for a broken field names it`(row: Int) async throws {
        let row = Self.broken[row]
        let response = await (try TestAPI()).put(try Self.changed("PAY", row.path, row.value))
        let type = row.explanation.contains("unsupported") ? "UNSUPPORTED" : "INVALID"
        #expect(response.refusal == "400 | \(row.path) | \(type) | \(row.explanation)")
    }

    @Test func `an element of an array is named by its index`() async throws {
        let items: [JSONValue] = [["name": "Cap", "quantity": 1, "unitPrice": "1.00"]]
        func refusal(_ second: JSONValue) async throws -> String {
            await (try TestAPI()).put(try Self.changed("PAY", "order.item", .array(items + [second]))).refusal
        }
        #expect(
            try await refusal(["name": ""])
                == "400 | order.item[1].name | INVALID | Value '' is invalid. Length is 0 characters, but must be more "
                + "than 0"
        )
        #expect(try await refusal(["colour": "red"]) == "400 | - | - | Unexpected parameter 'order.item[1].colour'")
        #expect(try await refusal("Cap") == "400 | order.item[1] | INVALID | Value is invalid. Expected an object")
        let many = JSONValue.array(Array(repeating: items[0], count: 1001))
        #expect(
            await (try TestAPI()).put(try Self.changed("PAY", "order.item", many)).refusal
                == "400 | order.item | INVALID | Value is invalid. It has 1001 elements, but must have less than 1001")
    }

    @Test func `a merchant's own fields have names of its own`() async throws {
        let response = await (try TestAPI()).put(try Self.changed("PAY", "order.custom.salesRegion", "north"))
        #expect(response.string("order.custom.salesRegion") == "north")
        #expect(
            await (try TestAPI()).put(try Self.changed("PAY", "order.custom.a-b", "x")).refusal
                == "400 | - | - | Unexpected parameter 'order.custom.a-b'")
        let many = Dictionary(uniqueKeysWithValues: (0..<51).map { ("n\($0)", JSONValue.string("x")) })
        let object = JSONValue.object(JSONObject(many.map { (name: $0.key, value: $0.value) }))
        #expect(
            await (try TestAPI()).put(try Self.changed("PAY", "order.custom", object)).refusal
                == "400 | order.custom | INVALID | Value is invalid. It has more than 50 names")
    }

    @Test func `repeated values have their kind: amounts with the currency's decimals, rates and counts as sent`()
        async throws
    {
        var request = try Self.request("PAY")
        for (path, value): (String, JSONValue) in [
            ("order.currency", "KWD"), ("order.taxAmount", "1.5"), ("order.shippingAndHandlingAmount", 2),
            ("order.shippingAndHandlingTaxRate", "00.025"), ("order.acceptPartialAmount", true),
            ("agreement.numberOfPayments", "012"), ("device.browserDetails.javaEnabled", false),
            ("order.item", [["name": "Cap", "quantity": "2.50", "unitPrice": "-1", "unitTaxAmount": .decimal("0.1")]]),
        ] { request.set(path.split(separator: ".").map(String.init)[...], value) }
        let response = await (try TestAPI()).put(request)
        #expect(response.status == 201)
        #expect(response.value?.at("order.taxAmount") == .decimal("1.500"))
        #expect(response.value?.at("order.shippingAndHandlingAmount") == .decimal("2.000"))
        #expect(response.value?.at("order.shippingAndHandlingTaxRate") == .decimal("0.025"))
        #expect(response.value?.at("order.acceptPartialAmount") == true)
        #expect(response.value?.at("agreement.numberOfPayments") == 12)
        #expect(response.value?.at("device.browserDetails.javaEnabled") == false)
        #expect(
            response.value?.at("order.item") == [
                [
                    "name": "Cap", "quantity": .decimal("2.50"), "unitPrice": .decimal("-1.000"),
                    "unitTaxAmount": .decimal("0.100"),
                ]
            ])
    }

    @Test func `a refund that could mean several captures is told how to name one`() async throws {
        let api = try TestAPI()
        _ = await api.put(try Self.changed("AUTHORIZE", "order.amount", "30.00"), TestAPI.path + "-1")
        for id in ["-2", "-3"] {
            let captured = await api.put(
                ["apiOperation": "CAPTURE", "transaction": ["amount": "10.00", "currency": "USD"]], TestAPI.path + id)
            #expect(captured.status == 201)
        }
        var refund: JSONValue = ["apiOperation": "REFUND", "transaction": ["amount": "1.00", "currency": "USD"]]
        #expect(
            await api.put(refund, TestAPI.path + "-4").refusal
                == "400 | apiOperation | INVALID | Value 'REFUND' is invalid. "
                + "There is more than one transaction to refund. Name transaction.targetTransactionId.")
        refund.set(["transaction", "targetTransactionId"], "950596203-3")
        #expect(await api.put(refund, TestAPI.path + "-4").status == 201)
    }

    @Test func `a net amount with the merchant's charge is an amount too`() async throws {
        let api = try TestAPI()
        var request = try Self.changed("PAY", "order.amount", .none)
        request.set(["order", "netAmount"], "30.00")
        request.set(["order", "merchantCharge"], ["amount": "0.10", "type": "SURCHARGE"])
        let response = await api.put(request)
        #expect(response.value?.at("order.amount") == .decimal("30.10"))
        #expect(response.value?.at("order.netAmount") == .decimal("30.00"))
        request.set(["order", "netAmount"], "123456789012")
        let large = await api.put(request, TestAPI.base + "/order/large/transaction/1")
        #expect(large.value?.at("order.amount") == .decimal("123456789012.10"))
        request.set(["order", "netAmount"], "1000000000000")
        #expect(
            await api.put(request, TestAPI.path + "-2").refusal
                == "400 | order.netAmount | INVALID | Value '1000000000000' is invalid. The order's amount is out of range"
        )
    }

    @Test func `what a provider of 3-D Secure found is passed on and repeated`() async throws {
        let api = try TestAPI()
        let token = "kBM9Q1JAbKRIYwMFlxJCBREAAAAA"
        let authentication: JSONValue = [
            "3ds": ["acsEci": "02", "authenticationToken": .string(token), "transactionId": "d-1"],
            "3ds2": ["protocolVersion": "2.1.0", "transactionStatus": "Y"],
        ]
        let response = await api.put(try Self.changed("PAY", "authentication", authentication))
        #expect(response.string("authentication.3ds.acsEci") == "02")
        #expect(response.string("authentication.3ds2.transactionStatus") == "Y")
        #expect(response.string("authentication.3ds.authenticationToken") == token)
    }
}
