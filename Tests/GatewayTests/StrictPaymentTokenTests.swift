import JSON
import Testing

/// The merchant's setting `strictPaymentToken`, from its file on: what becomes of a token with something around it.
struct StrictPaymentTokenTests {
    private static let wrappings: [(names: String, wrap: @Sendable (String) -> String)] = [
        (
            "paymentData",
            { #"{"paymentData":\#($0),"paymentMethod":{"type":"debit"},"transactionIdentifier":"ab"}"# }
        ),
        ("token, paymentData", { #"{"token":{"paymentData":\#($0)}}"# }),
        ("string", { String(decoding: JSONValue.string($0).serialized(), as: UTF8.self) }),
    ]

    @Test func `a wrapped token is refused where the file says so, and else opened with a notice`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let token = try folder.mint("10.00")
        let keys = "[{privateKey: ../../data/sandbox/merchant.key.pem, certificate: ../../data/sandbox/merchant.pem}]"
        let settings = [
            ("STRICT", "strictPaymentToken: true, "), ("LENIENT", "strictPaymentToken: false, "), ("UNSAID", ""),
        ]
        for (name, setting) in settings {
            let merchant = """
                passwords: [{environment: SHOP_PASSWORD}]
                applePay: {\(setting)trust: [local], keys: \(keys)}
                """
            try folder.write("config/merchants/\(name).yaml", Array(merchant.utf8))
        }
        let gateway = try RunningGateway(
            in: folder, "--config", folder.path + "/config", environment: ["SHOP_PASSWORD": "shop-word"],
            credentials: .init(password: "shop-word"))
        defer { gateway.kill() }
        func pay(_ token: String, _ merchant: String, _ order: String) throws -> HTTPReply {
            try gateway.send(
                "PUT", TransactionPath(order: order, merchant: merchant).text,
                PaymentRequest.token(token, amount: "10.00"), as: .init(merchant: merchant, password: "shop-word"))
        }
        let advice = "send it as JSON.stringify(event.payment.token.paymentData)."
        for (names, wrap) in Self.wrappings {
            let refused = try pay(wrap(token), "STRICT", "order-1")
            #expect(refused.status == 400)
            #expect(refused["error.field"] == "sourceOfFunds.provided.card.devicePayment.paymentToken")
            #expect(
                refused["error.explanation"]
                    == "Value is invalid. Apple Pay token refused at step 'parse': The token is wrapped (\(names)), and "
                    + "strictPaymentToken is set; \(advice)")
            #expect(refused.field("tollgate-notice") == nil)
        }
        let taken = try pay(token, "STRICT", "order-1")
        #expect(taken.status == 201, "\(taken.text)")
        #expect(taken.field("tollgate-notice") == nil)
        for (merchant, _) in settings.dropFirst() {
            for (index, (names, wrap)) in Self.wrappings.enumerated() {
                let opened = try pay(wrap(try folder.mint("10.00")), merchant, "order-\(index)")
                #expect(opened.status == 201, "\(opened.text)")
                #expect(opened.field("tollgate-notice") == "The token is wrapped (\(names)); \(advice)")
            }
        }
        #expect(try gateway.stop() == .exited(0))
    }
}
