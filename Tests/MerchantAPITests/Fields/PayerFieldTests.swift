import HTTP
import HTTPTypes
import JSON
import Payments
import TestSupport
import Testing
import Values
import Vault

@testable import MerchantAPI

/// What a payer, who has no more than a session's identifier, may say and is told.
struct PayerFieldTests {
    private static let card = "sourceOfFunds.provided.card"

    private struct Shop {
        let gate: Gate
        let session: String

        init() async throws {
            gate = try Gate([
                Merchant(
                    id: try MerchantID("M"), passwords: [APIPassword(digesting: SecretText("random"))], applePay: nil)
            ])
            session = try await gate.sessions.create(
                for: try MerchantID("M"), authenticationLimit: 25, at: TestPayment.instant
            ).id
        }

        /// An update of the session, with its identifier as the password unless another one is given.
        func update(_ body: JSONValue, password: String?, version: Int = 100) async throws -> Response {
            try await gate.ask(
                Gate.Question(
                    method: .put, version: version, path: "/session/\(session)", password: password,
                    body: body.serialized()))
        }

        func payer(_ body: JSONValue) async throws -> Response { try await update(body, password: session) }
        func merchant(_ body: JSONValue) async throws -> Response { try await update(body, password: "random") }
    }

    private static func request(_ path: String, _ value: JSONValue) -> JSONValue {
        var request: JSONValue = [:]
        request.set(path.split(separator: ".").map(String.init)[...], value)
        return request
    }

    @Test(arguments: [39, 49, 50, 61, 100])
    func `a payer does not set the price`(version: Int) async throws {
        let shop = try await Shop()
        let order: JSONValue = ["amount": "500.00", "currency": "USD"]
        #expect(try await shop.merchant(["order": order]).status == 200)
        let refused = try await shop.update(
            ["apiOperation": "UPDATE_PAYER_DATA", "order": ["amount": "1.00"]],
            password: version < 50 ? nil : shop.session, version: version)
        #expect(
            refused.refusal
                == "400 | order.amount | INVALID | Value is invalid. A session-authenticated request may carry payer input fields only"
        )
        let card: JSONValue = ["expiry": ["month": "1", "year": "39"], "number": "5123450000000008"]
        let typed = try await shop.payer(TestAPI.source(card))
        #expect(typed.status == 200, "\(typed.text)")
        let paid = try await shop.gate.put(["apiOperation": "PAY", "session": ["id": .string(shop.session)]])
        #expect(paid.status == 201, "\(paid.text)")
        #expect(paid.value?.at("order.totalCapturedAmount") == .decimal("500.00"))
    }

    @Test(arguments: [
        "order.amount", "order.currency", "order.id", "order.reference", "order.custom.a", "order.item",
        "order.netAmount", "order.notificationUrl", "transaction.amount", "transaction.source",
        "transaction.targetTransactionId", "sourceOfFunds.token", card + ".storedOnFile",
        card + ".devicePayment.onlinePaymentCryptogram", card + ".devicePayment.eciIndicator",
        "3DSecure.authenticationToken", "authentication.3ds.authenticationToken", "authentication.3ds.acsEci",
        "authentication.redirectResponseUrl", "browserPayment.returnUrl", "agreement.id", "agreement.type",
        "agreement.startDate", "airline.bookingReference", "posTerminal.location", "initiator.userId", "userId",
        "partnerSolutionId", "responseControls.sensitiveData", "session.id", "customer.account.id",
        "shipping.origin.postcodeZip", "unknown", "billing.address", "billing",
    ])
    func `what is no payer input field is refused by its name`(path: String) async throws {
        let shop = try await Shop()
        for value: JSONValue in ["1", 1, true, [1], [["a": 1]]] {
            let response = try await shop.payer(Self.request(path, value))
            #expect(response.status == 400, "\(value)")
            #expect(response.string("error.field") == path, "\(value)")
        }
        // A name with points in it is no path.
        let dotted = try await shop.payer(["billing.address.city": "Berlin"])
        #expect(dotted.refusal == "400 | - | - | Unexpected parameter 'billing.address.city'")
        #expect(
            try await shop.merchant(["customer": ["firstName": "Ada"]]).string("session.version")?.suffix(2) == "02")
    }

    @Test func `nothing where a merchant's field would stand says nothing`() async throws {
        let shop = try await Shop()
        let response = try await shop.payer([
            "customer": ["firstName": "Ada"], "order": ["amount": .null, "custom": [:]], "transaction": [],
        ])
        #expect(response.status == 200)
    }

    @Test func `each payer input field is one of the session's`() throws {
        for path in PayerFields.input {
            var entry: RequestFields.Entry? = .object(PaymentFields.session)
            for name in path.split(separator: ".") { entry = entry?[String(name)] }
            guard case .field = entry else {
                Issue.record("\(path) is no field of a session")
                continue
            }
        }
    }

    private static let typed: JSONValue = [
        "agreement": ["amountVariability": "FIXED", "numberOfPayments": 12, "paymentFrequency": "MONTHLY"],
        "authentication": [
            "3ds2": ["sdk": ["appId": "a", "interface": "BOTH", "timeout": "15", "uiType": "TEXT,OOB"]],
            "methodNotificationUrl": "https://shop.example/method",
        ],
        "billing": ["address": ["city": "Berlin", "country": "DEU", "postcodeZip": "10115", "street": "Alpha St"]],
        "browserPayment": ["preferredLanguage": "de_DE", "type": "PAYPAL"], "correlationId": "c-1",
        "customer": ["email": "a@example.com", "firstName": "Ada", "nationalId": "12345", "phone": "030123"],
        "device": [
            "browser": "Gateway-Android-SDK/1.1", "browserDetails": ["colorDepth": 24], "ipAddress": "192.0.2.1",
        ],
        "locale": "de_DE", "shipping": ["address": ["city": "Bonn"], "contact": ["firstName": "Bo"]],
        "sourceOfFunds": [
            "provided": [
                "card": [
                    "expiry": ["month": "5", "year": "39"], "nameOnCard": "Ada", "number": "5123450000000008",
                    "securityCode": "100",
                ]
            ], "type": "CARD",
        ],
    ]

    @Test func `a payer is told what payers may see, and not the session's identifier`() async throws {
        let shop = try await Shop()
        let order: JSONValue = [
            "airline": ["bookingReference": "ABCDEF"], "agreement": ["id": "secret-agreement"],
            "order": ["amount": "500.00", "currency": "USD", "reference": "secret-reference"],
            "sourceOfFunds": ["provided": ["card": ["storedOnFile": "TO_BE_STORED"]]],
        ]
        #expect(try await shop.merchant(order).status == 200)
        let reply = try await shop.payer(Self.typed)
        #expect(reply.status == 200, "\(reply.text)")
        #expect(!reply.text.contains(shop.session) && !reply.text.contains("secret-"))
        for path in ["session.id", "order", "airline", "agreement.id", Self.card + ".storedOnFile"] {
            #expect(reply.value?.at(path) == nil, "\(path)")
        }
        #expect(reply.string("session.updateStatus") == "SUCCESS")
        #expect(reply.string("session.version")?.hasSuffix("03") == true)
        #expect(reply.string("merchant") == "M" && reply.string("correlationId") == "c-1")
        #expect(reply.string("billing.address.city") == "Berlin" && reply.string("locale") == "de_DE")
        #expect(
            reply.value?.at(Self.card) == [
                "brand": "MASTERCARD", "expiry": ["month": "5", "year": "39"], "fundingMethod": "CREDIT",
                "nameOnCard": "Ada", "number": "512345xxxxxx0008", "scheme": "MASTERCARD", "securityCode": "xxx",
            ])
        // The merchant sees all of it.
        let all = try await shop.merchant(["customer": ["lastName": "Lovelace"]])
        #expect(all.string("session.id") == shop.session)
        #expect(all.string("order.amount") == "500.00")
        #expect(all.string("customer.firstName") == "Ada")
    }
}
