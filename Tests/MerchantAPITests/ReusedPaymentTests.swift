import ApplePaySandbox
import HTTP
import JSON
import TestSupport
import Testing
import Values

/// One payment of a device, sent once as its token and once as the members that the merchant found in it: the second time it is
/// a replay, and the reply names the field that the second request has.
struct ReusedPaymentTests {
    private static let device = "sourceOfFunds.provided.card.devicePayment"
    private static let tokenRefusal =
        "400 | \(device).paymentToken | INVALID | Value is invalid. Apple Pay token refused at step 'replay': The token paid "
        + "for another transaction, or may have."

    private static func membersRefusal(_ field: String) -> String {
        "400 | \(field) | INVALID | Value is invalid. The payment that the cryptogram was made for was used for another "
            + "transaction."
    }

    private let api: TestAPI
    private let token: String
    private let cryptogram: JSONValue

    init() throws {
        let merchant = try LocalMerchant()
        api = try TestAPI(applePay: merchant.opener, at: LocalMerchant.instant)
        let order = try merchant.order()
        token = try merchant.mint(order)
        cryptogram = .string(order.onlinePaymentCryptogram.revealed())
    }

    private func payWithToken(_ order: String) async throws -> Response {
        await api.put(
            try Example.token(.string(token), ["order.amount": "56.56"]),
            TestAPI.path.replacing("844205983", with: order))
    }

    /// - Parameter isNested: whether what the device generated stands under `3DSecure`.
    private func payWithMembers(_ order: String, isNested: Bool) async throws -> Response {
        let generated: JSONValue = ["eciIndicator": "5", "onlinePaymentCryptogram": cryptogram]
        var device: JSONValue = isNested ? ["3DSecure": generated] : generated
        device.set(["cryptogramFormat"], "3DSECURE")
        return await api.put(
            try Example.changed([
                "order.amount": "56.56",
                "sourceOfFunds.provided.card": [
                    "number": "5123450000000008", "expiry": ["month": "12", "year": "39"], "devicePayment": device,
                ],
            ]), TestAPI.path.replacing("844205983", with: order))
    }

    @Test(arguments: [false, true])
    func `after its members a token is refused as a replay`(isNested: Bool) async throws {
        #expect(try await payWithMembers("first", isNested: isNested).status == 201)
        #expect(try await payWithToken("second").refusal == Self.tokenRefusal)
    }

    @Test(arguments: [
        (false, device + ".onlinePaymentCryptogram"), (true, device + ".3DSecure.onlinePaymentCryptogram"),
    ])
    func `after its token the members are refused at the cryptogram, where it stands`(
        isNested: Bool, field: String
    ) async throws {
        #expect(try await payWithToken("first").status == 201)
        let refused = try await payWithMembers("second", isNested: isNested)
        #expect(refused.refusal == Self.membersRefusal(field))
        #expect(refused.string("error.cause") == "INVALID_REQUEST")
    }

    @Test func `members that a session holds are refused where they stood in it`() async throws {
        #expect(try await payWithToken("first").status == 201)
        let id = try await api.createSession()
        let stored = await api.update(
            id,
            [
                "order": ["amount": "56.56", "currency": "USD", "walletProvider": "APPLE_PAY"],
                "sourceOfFunds": [
                    "provided": [
                        "card": [
                            "devicePayment": [
                                "3DSecure": ["onlinePaymentCryptogram": cryptogram], "cryptogramFormat": "3DSECURE",
                            ], "expiry": ["month": "12", "year": "39"], "number": "5123450000000008",
                        ]
                    ]
                ],
            ])
        #expect(stored.status == 200, "\(stored.text)")
        let refused = await api.pay("second", ["session.id": .string(id), "order": nil])
        #expect(refused.refusal == Self.membersRefusal(Self.device + ".3DSecure.onlinePaymentCryptogram"))
    }
}
