import HTTP
import HTTPTypes
import JSON
import Testing
import Values

/// Released clients of the real gateway, by the bytes that they send.
struct ClientTests {
    private static let base = "/api/rest/version/"

    private static func path(_ version: Int, _ order: String, _ transaction: String) -> String {
        "\(base)\(version)/merchant/TESTMERCHANT/order/\(order)/transaction/\(transaction)"
    }

    @Test func `ActiveMerchant authorizes, captures, refunds and voids`() async throws {
        let api = try TestAPI()
        func perform(_ transaction: String, _ body: String) async -> Response {
            await api.send(.put, Self.path(52, "am", transaction), body: body)
        }
        let authorized = await perform("1", ClientRequests.activeMerchant("AUTHORIZE"))
        #expect(authorized.string("result") == "SUCCESS")
        #expect(authorized.string("order.id") == "am" && authorized.string("transaction.id") == "1")
        #expect(authorized.string("billing.address.street") == "456 My Street")
        #expect(authorized.string("shipping.address.street") == "456 My Street, Apt 1")
        #expect(authorized.value?.at("shipping.address.street2") == nil)

        let captured = await perform("c", ClientRequests.activeMerchantLater("CAPTURE", of: "1"))
        #expect(captured.string("result") == "SUCCESS" && captured.string("order.status") == "CAPTURED")
        // What was said of the payer stays with the order, though the capture's groups are empty.
        #expect(captured.value?.at("billing") == authorized.value?.at("billing"))
        #expect(captured.string("transaction.reference") == "1")

        let refunded = await perform("r", ClientRequests.activeMerchantLater("REFUND", of: "c"))
        #expect(refunded.string("result") == "SUCCESS" && refunded.string("order.status") == "REFUNDED")

        let again = Self.path(52, "void", "1")
        #expect(await api.send(.put, again, body: ClientRequests.activeMerchant("AUTHORIZE")).status == 201)
        let voided = await api.send(.put, Self.path(52, "void", "v"), body: ClientRequests.activeMerchantVoid)
        #expect(voided.string("result") == "SUCCESS" && voided.string("transaction.type") == "VOID_AUTHORIZATION")
        #expect(voided.string("transaction.targetTransactionId") == "1")
    }

    @Test func `ActiveMerchant tells wrong credentials from a transaction that doesn't exist`() async throws {
        let path = Self.path(52, "8f1f9f3e-1c1b-4d1f-9a44-9e0b8b3a2d11", "nonexistent")
        #expect(await (try TestAPI()).send(.get, path).status == 400)
        let wrong = "Basic " + Base64.encoded(Array("merchant.TESTMERCHANT:thing".utf8))
        #expect(await (try TestAPI()).send(.get, path, authorization: [wrong]).status == 401)
    }

    @Test func `ActiveMerchant's void of nothing has the recorded words`() async throws {
        #expect(
            await (try TestAPI()).send(.put, Self.path(52, "none", "v"), body: ClientRequests.activeMerchantVoid)
                .refusal
                == "400 | apiOperation | INVALID | Value 'VOID' is invalid. There is no transaction to void.")
    }

    @Test func `the Omnipay driver pays with bare base64 and a month that is a number`() async throws {
        let bare = Base64.encoded(Array("merchant.TESTMERCHANT:TESTMERCHANT\(TestAPI.password)".utf8))
        let response = await (try TestAPI()).send(
            .put, Self.path(56, "omnipay", "omnipay-1"), body: ClientRequests.omnipay, authorization: [bare],
            contentType: "application/json; charset=utf-8")
        #expect(response.string("response.gatewayCode") == "APPROVED")
        #expect(response.string("sourceOfFunds.provided.card.expiry.month") == "7")
    }

    @Test func `WooCommerce pays from a session, captures and refunds under the ids that it derives`() async throws {
        let api = try TestAPI()
        // Without a content type, as its HTTP library sends them.
        let created = await api.send(.post, Self.base + "100/merchant/TESTMERCHANT/session")
        let session = try #require(created.string("session.id"))
        let card =
            #"{"sourceOfFunds":{"type":"CARD","provided":{"card":{"number":"5123450000000008","#
            + #""expiry":{"month":"01","year":"39"},"securityCode":"100"}}}}"#
        #expect(
            await api.send(.put, Self.base + "100/merchant/TESTMERCHANT/session/\(session)", body: card).status == 200)

        let authorized = await api.send(
            .put, Self.path(100, "77", "1"), body: ClientRequests.wooCommerce("AUTHORIZE", session: session))
        #expect(authorized.string("response.gatewayCode") == "APPROVED")
        #expect(authorized.value?.at("order.amount") == .decimal("48.02"))
        #expect(authorized.value?.at("order.itemAmount") == .decimal("37.00"))
        #expect(
            authorized.value?.at("order.item") == [
                ["name": "Cap", "quantity": 2, "sku": "woo-cap", "unitPrice": .decimal("18.50")]
            ])
        #expect(authorized.value?.at("billing") == nil && authorized.value?.at("3DSecureId") == nil)

        func later(_ operation: String, _ id: String, _ amount: String) async -> Response {
            await api.send(
                .put, Self.path(100, "77", id),
                body: ClientRequests.wooCommerceLater(operation, amount, reference: id))
        }
        #expect(await later("CAPTURE", "capture-1", "48.02").string("order.status") == "CAPTURED")
        #expect(await later("REFUND", "refund-capture-1", "8.02").string("order.status") == "PARTIALLY_REFUNDED")
        // A second partial refund has the same id, which is a conflict with the real gateway too.
        #expect(
            await later("REFUND", "refund-capture-1", "5").string("error.explanation")?.hasPrefix(
                "Transaction or Order ID supplied already exists, but the transaction parameters do not match.") == true
        )
        let retrieved = await api.send(.get, Self.base + "100/merchant/TESTMERCHANT/order/77")
        guard case .array(let transactions)? = retrieved.value?["transaction"] else {
            Issue.record("an order has transactions")
            return
        }
        #expect(
            transactions.map { $0.at("transaction.type")?.string } == ["AUTHORIZATION", "CAPTURE", "REFUND"])
        #expect(transactions.map { $0.at("result")?.string } == ["SUCCESS", "SUCCESS", "SUCCESS"])
    }

    @Test func `WooCommerce voids under the id that it derives`() async throws {
        let api = try TestAPI()
        #expect(await api.send(.put, Self.path(100, "77", "1"), body: ClientRequests.magento).status == 201)
        let response = await api.send(
            .put, Self.path(100, "77", "void-1"), body: ClientRequests.wooCommerceVoid("1"))
        #expect(response.string("order.status") == "CANCELLED")
    }

    @Test func `Magento's nulls are nothing, and it reads the card of every reply`() async throws {
        let api = try TestAPI()
        let response = await api.send(.put, Self.path(100, "000000021", "1"), body: ClientRequests.magento)
        #expect(response.status == 201)
        #expect(
            response.value?.at("order.item") == [
                ["name": "Bag", "quantity": 1, "sku": "24-MB01", "unitPrice": .decimal("34.00")]
            ])
        let capture = await api.send(
            .put, Self.path(100, "000000021", "2"),
            body: #"{"apiOperation":"CAPTURE","transaction":{"amount":"36.39","currency":"USD"}}"#)
        let void = await api.send(
            .put, Self.path(100, "000000021", "3"),
            body: #"{"apiOperation":"VOID","transaction":{"targetTransactionId":"2"}}"#)
        for reply in [response, capture, void] {
            let card = "sourceOfFunds.provided.card."
            for name in ["scheme", "number", "expiry.month", "expiry.year"] {
                #expect(reply.string(card + name) != nil)
            }
        }
    }

    @Test(arguments: [nil, "application/json", "application/json;charset=UTF-8", "text/plain;charset=UTF-8", "x"])
    func `the Java sample is challenged once, and whatever type its content has is read`(type: String?) async throws {
        let api = try TestAPI()
        let path = Self.path(61, "order-1ab2c3d4e5", "trans-1")
        let challenged = await api.send(
            .put, path, body: ClientRequests.javaSample, authorization: [], contentType: type)
        #expect(challenged.status == 401)
        #expect(challenged.head.headerFields[.wwwAuthenticate] == #"Basic realm="Tollgate""#)
        let response = await api.send(.put, path, body: ClientRequests.javaSample, contentType: type)
        #expect(response.status == 201)
        #expect(response.string("order.id") == "order-1ab2c3d4e5")
    }

    @Test func `an identifier in the content must be the path's`() async throws {
        let other = await (try TestAPI()).send(
            .put, Self.path(61, "order-2", "trans-1"), body: ClientRequests.javaSample)
        #expect(
            other.refusal
                == "400 | order.id | INVALID | Value 'order-1ab2c3d4e5' is invalid. The url path has another one")
    }

    @Test func `everydayhero's statement descriptor is repeated`() async throws {
        let response = await (try TestAPI()).send(
            .put, Self.path(46, "eh", "PAY"), body: ClientRequests.everydayhero)
        #expect(
            response.value?.at("order.statementDescriptor") == [
                "address": ["country": "AUS"], "name": "Everyday Hero", "phone": "1300 798 768",
            ])
        #expect(response.string("order.subMerchant.tradingName") == "Charity")
    }
}
