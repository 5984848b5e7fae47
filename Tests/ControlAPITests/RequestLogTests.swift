import Access
import ControlAPI
import HTTP
import HTTPTypes
import JSON
import TestSupport
import Testing
import Values

struct RequestLogTests {
    /// What must be nowhere in the log.
    private static let secrets = [
        "4508750015741019", "737", "Ada Payer", TestControl.password, "merchant.TESTMERCHANT:",
        Base64.encoded(Array("merchant.TESTMERCHANT:\(TestControl.password)".utf8)), "IA/8pdiWftSsxpFT6wABoDABhgA=",
    ]

    @Test func `a request is noted with its reply, and without what is secret`() async throws {
        let control = try TestControl()
        _ = await control.pay()
        let log = try await control.control(.get, "requests")
        let entry = try #require(log.elements("requests").first)
        #expect(entry["method"] == "PUT")
        #expect(entry["path"] == "/api/rest/version/100/merchant/TESTMERCHANT/order/order-1/transaction/1")
        #expect(entry["status"] == 201)
        #expect(entry["peer"] == "127.0.0.1")
        #expect(entry["time"] == .string(LocalMerchant.instant.description))
        let card = entry["request"]?["sourceOfFunds"]?["provided"]?["card"]
        #expect(card?["number"] == "450875xxxxxx1019")
        #expect(card?["securityCode"] == "…")
        #expect(card?["nameOnCard"] == "…")
        #expect(entry["reply"]?["sourceOfFunds"]?["provided"]?["card"]?["number"] == "450875xxxxxx1019")
        for secret in Self.secrets { #expect(!log.text.contains(secret), "\(secret)") }
    }

    @Test func `what the API has read of a request is noted, without being parsed again`() async throws {
        let control = try TestControl()
        let read = try JSONDocument(#"{"correlationId":"read"}"#)
        _ = control.merchants.answer(.payment(), tracing: RequestTrace()) { _, trace in
            trace.note(content: .document(read))
            return .now(Response(status: .ok))
        }
        let entry = try #require(try await control.control(.get, "requests").elements("requests").first)
        #expect(entry["request"] == ["correlationId": "read"])
    }

    @Test func `an account number in place of a method is masked`() async throws {
        let control = try TestControl()
        var request = Request.payment()
        request.head.method = try #require(HTTPRequest.Method("4508750015741019"))
        _ = await control.send(request)
        let entry = try #require(try await control.control(.get, "requests").elements("requests").first)
        #expect(entry["method"] == "xxxxxxxxxxxx1019")
    }

    @Test func `of a token, a cryptogram and keys nothing is noted`() async throws {
        let control = try TestControl()
        let minted = try await control.control(.post, "tokens", #"{"amount":"1.00","currency":"USD","request":"PAY"}"#)
        let token = try #require(minted.string("paymentToken"))
        var request = Request.payment()
        request.body = try #require(minted["request"]).serialized()
        #expect(await control.send(request)?.status == 201)
        let log = try await control.control(.get, "requests").text
        let members = try JSONValue(parsing: token)
        guard case .string(let data) = members["data"], case .string(let signature) = members["signature"] else {
            throw TestControl.Cut()
        }
        #expect(!log.contains(data.prefix(40)))
        #expect(!log.contains(signature.prefix(40)))
        #expect(!log.contains("5123450000000008"))
        #expect(log.contains(#""paymentToken":"…""#))
    }

    @Test(arguments: [
        (
            #"{"session":{"id":"SESSION0002123456789A12345678B12","aes256Key":"c2VjcmV0"}}"#,
            ["0002123456789A", "c2VjcmV0"]
        ),
        (#"{"sourceOfFunds":{"token":"9751187013099186"}}"#, ["9751187013099186", "975118"]),
        (#"{"sourceOfFunds":{"provided":{"card":{"track2":"x","pin":"1234","prefix":"abc"}}}}"#, ["1234", "abc"]),
        (
            #"{"sourceOfFunds":{"provided":{"giftCard":{"number":"6006491260550227080","pin":"5678"}}}}"#,
            ["91260550", "5678"]
        ),
        (#"{"sourceOfFunds":{"provided":{"card":{"number":450875001574101}}}}"#, ["450875001574101"]),
        (#"{"sourceOfFunds":[["4508750015741019"],"abc"]}"#, ["4508750015741019", "abc"]),
        (#"{"customer":{"email":"4508750015741019@example.com"},"4508750015741019":1}"#, ["4508750015741019"]),
        (
            #"{"order":{"description":"card 4508 7500 1574 1019","amount":4508750015741019}}"#,
            ["1574 1019 ", "4508750015741019"]
        ),
        (
            #"{"password":"hunter2","SecurityCode":"123","authentication":{"authenticationToken":"AAAB"}}"#,
            ["hunter2", "123", "AAAB"]
        ),
        (#"{"number":"4508750015741019","#, ["4508750015741019"]),
        ("card=4508750015741019&cvv=737", ["4508750015741019", "737"]),
        ("\u{FEFF}{}", []),
    ])
    func `what merchants misplace is not shown`(body: String, secrets: [String]) async throws {
        let control = try TestControl()
        var request = Request.payment()
        request.body = Array(body.utf8)
        request.head.path? += "?session=SESSION0002123456789A12345678B12&card=4508750015741019"
        _ = await control.send(request)
        let log = try await control.control(.get, "requests")
        #expect(log.elements("requests").count == 1)
        for secret in secrets + ["4508750015741019", "0002123456789A"] {
            #expect(!log.text.contains(secret), "\(secret) in \(log.text)")
        }
    }

    /// Texts that begin or end like a masked account number, or hold an `x`, and are none.
    @Test(arguments: [
        "4539578763621486x", "x4539578763621486", "453957876362148x", "45395787x3621486", "453957xxxxx621486",
        "453957xxxxx1486x", "45395787xxxx1486", "4539578763621486xx", "xxxx78763621486", "453957xxxxxxxxx",
    ])
    func `only what has exactly the masked form counts as masked`(number: String) async throws {
        let control = try TestControl()
        var request = Request.payment()
        request.body = Array(#"{"sourceOfFunds":{"provided":{"card":{"number":"\#(number)"}}}}"#.utf8)
        _ = await control.send(request)
        let entry = try #require(try await control.control(.get, "requests").elements("requests").first)
        #expect(entry["request"]?["sourceOfFunds"]?["provided"]?["card"]?["number"] == "…")
    }

    @Test(arguments: ["453957xxxxxx1486", "xxxxxxxxxxxx1486"])
    func `a number that is masked already is shown`(number: String) async throws {
        let control = try TestControl()
        var request = Request.payment()
        request.body = Array(#"{"sourceOfFunds":{"provided":{"card":{"number":"\#(number)"}}}}"#.utf8)
        _ = await control.send(request)
        let entry = try #require(try await control.control(.get, "requests").elements("requests").first)
        #expect(entry["request"]?["sourceOfFunds"]?["provided"]?["card"]?["number"] == .string(number))
    }

    /// Each is a name that payment software gives to card data; `order.custom` takes any name of letters and digits.
    @Test(arguments: [
        "cvv", "cvc", "cvv2", "CVC2", "csc", "cid", "cvn", "pan", "PAN", "fpan", "cardPan", "panNumber", "cardNumber",
        "creditCardNumber", "cardno", "ccNumber", "accountNumber", "primaryAccountNumber", "track1", "track2Data",
        "trackData", "cardSecurityCode", "securityCodeValue", "cscCode", "cardCvv", "cardVerificationValue",
        "userPassword", "pinBlock", "cardPin",
    ])
    func `what is named like card data is not shown, wherever it stands and whatever the reply`(
        name: String
    ) async throws {
        let control = try TestControl()
        var request = Request.payment()
        let members = #","order":{"amount":"10.00","currency":"USD","custom":{"\#(name)":"98761"}}}"#
        request.body = Array(
            (#"{"apiOperation":"PAY","sourceOfFunds":{"type":"CARD","provided":{"card":{"number":"4508750015741019","#
                + #""expiry":{"month":"01","year":"39"}}}}"# + members).utf8)
        let reply = try #require(await control.send(request))
        #expect(reply.status == 201, "\(String(decoding: reply.body, as: UTF8.self))")
        let log = try await control.control(.get, "requests")
        #expect(!log.text.contains("98761"), "\(log.text)")
        let entry = try #require(log.elements("requests").first)
        #expect(entry["request"]?["order"]?["custom"]?[name] == "…")
        #expect(entry["reply"]?["order"]?["custom"]?[name] == "…")
    }

    @Test(arguments: [
        (#"{"apiOperation":"PAY","cvv":"98761"}"#, TestControl.password),
        (#"{"apiOperation":"PAY","cvv_code":98761}"#, TestControl.password),
        (#"{"apiOperation":"PAY","card-number":["98761"]}"#, TestControl.password),
        (#"{"apiOperation":"PAY","track3":{"a":"98761"}}"#, TestControl.password),
        (#"{"apiOperation":"PAY","geheim":"98761"}"#, TestControl.password),
        (#"{"apiOperation":"PAY","geheim":{"type":"98761"}}"#, TestControl.password),
        (#"{"apiOperation":"PAY","order":{"geheim":["98761",{"id":"98761"}]}}"#, TestControl.password),
        (#"{"apiOperation":"PAY","order":"98761"}"#, TestControl.password),
        (#"{"apiOperation":"PAY","order":{"amount":{"type":"98761"}}}"#, TestControl.password),
        (#"{"apiOperation":"PAY","sourceOfFunds":{"provided":{"brand":"98761"}}}"#, TestControl.password),
        (#"{"geheim":"98761"}"#, "wrong"), (#"["98761"]"#, "wrong"), (#""98761""#, "wrong"),
    ])
    func `members that the API does not know show no value of a refused request`(
        body: String, password: String
    ) async throws {
        let control = try TestControl()
        var request = Request.payment(password: password)
        request.body = Array(body.utf8)
        let reply = try #require(await control.send(request))
        #expect(reply.status >= 400)
        let log = try await control.control(.get, "requests")
        #expect(!log.text.contains("98761"), "\(log.text)")
    }

    @Test func `of a refused request the members that the API knows are shown as usual`() async throws {
        let control = try TestControl()
        var request = Request.payment(password: "wrong")
        request.body = Array(
            (#"{"apiOperation":"PAY","order":{"amount":"10.00","currency":"USD","custom":{"shelf":"7"},"#
                + #""item":[{"name":"book"}]},"billing":{"address":{"street":"Alpha St"}},"#
                + #""session":{"version":"0123456789"},"verificationStrategy":"BASIC","cvv":"987"}"#).utf8)
        _ = await control.send(request)
        let entry = try #require(try await control.control(.get, "requests").elements("requests").first)
        let shown = entry["request"]
        #expect(shown?["apiOperation"] == "PAY")
        #expect(shown?["order"]?["amount"] == "10.00")
        #expect(shown?["order"]?["custom"]?["shelf"] == "7")
        #expect(shown?["order"]?["item"] == .array([["name": "book"]]))
        #expect(shown?["billing"]?["address"]?["street"] == "Alpha St")
        #expect(shown?["session"]?["version"] == "0123456789")
        #expect(shown?["verificationStrategy"] == "BASIC")
        #expect(shown?["cvv"] == "…")
    }

    @Test(arguments: [
        "order/%34508750015741019", "order/4508%2D7500%2d1574%2D1019", "order/o/%34508750015741019",
        "session/%53ESSION0002123456789A12345678B12", "%53ESSION0002123456789A12345678B12",
        "order/o?card=450875%30015741%3019", "order/" + String(repeating: "x", count: 430) + "/4508750015741019",
        "order/" + String(repeating: "%61", count: 140) + "/SESSION0002123456789A12345678B12",
    ])
    func `percent-encoding hides nothing that must not be shown`(path: String) async throws {
        let control = try TestControl()
        var request = Request.payment()
        request.head.method = .get
        request.body = []
        request.head.path = "/api/rest/version/100/merchant/TESTMERCHANT/" + path
        _ = await control.send(request)
        let log = try await control.control(.get, "requests")
        #expect(log.elements("requests").count == 1)
        for secret in ["508750015741019", "450875", "4508%2D7500", "4508-7500", "0002123456789A"] {
            #expect(!log.text.contains(secret), "\(secret) in \(log.text)")
        }
    }

    @Test(arguments: ["order/100%25", "order/a%2Fb", "order/%zz", "order/%"])
    func `a path is noted as it was sent`(path: String) async throws {
        let control = try TestControl()
        let path = "/api/rest/version/100/merchant/TESTMERCHANT/" + path
        _ = await control.send(.to(.get, path))
        #expect(try await control.control(.get, "requests").elements("requests").first?["path"] == .string(path))
    }

    @Test(arguments: [
        ("", ["a", "b", "c"]), ("?order=b", ["b"]), ("?order=x", []), ("?merchant=TESTMERCHANT", ["a", "b", "c"]),
        ("?merchant=OTHER", []), ("?limit=2", ["b", "c"]), ("?limit=1&merchant=TESTMERCHANT&order=a", ["a"]),
        ("?", ["a", "b", "c"]),
        ("?order=%62", ["b"]),
    ])
    func `the log is filtered by merchant and order, the latest last`(query: String, orders: [String]) async throws {
        let control = try TestControl()
        for order in ["a", "b", "c"] { _ = await control.pay(order: order) }
        let log = try await control.control(.get, "requests" + query)
        #expect(log.elements("requests").map { $0["order"] } == orders.map { .string($0) })
    }

    @Test func `refused requests are noted, and those to control are not`() async throws {
        let control = try TestControl()
        _ = await control.pay(password: "wrong")
        _ = await control.send(.to(.get, "/nothing"))
        _ = try await control.control(.get, "sandbox")
        let log = try await control.control(.get, "requests").elements("requests")
        #expect(log.map { $0["status"] } == [401, 404])
    }

    @Test func `what the reply's notices say is noted`() async throws {
        let control = try TestControl(explainsUnauthorized: true)
        _ = await control.pay(password: "wrong")
        _ = await control.pay()
        let log = try await control.control(.get, "requests").elements("requests")
        #expect(log.map { $0["notices"] } == [["The password differs from the merchant's."], nil])
    }

    @Test func `the log holds so many requests and no more`() async throws {
        let control = try TestControl()
        for order in 0..<RequestLog.countMax + 5 { _ = await control.pay(order: "\(order)") }
        let log = try await control.control(.get, "requests").elements("requests")
        #expect(log.count == RequestLog.countMax)
        #expect(log.first?["order"] == "5")
    }

    @Test func `the log holds so many bytes and no more`() async throws {
        let control = try TestControl()
        // One text is cut to 500 characters, so it takes many to fill a log.
        let member = "{\"description\":\"\(String(repeating: "a", count: 400))\"}"
        let items = Array(repeating: member, count: 200).joined(separator: ",")
        let body = "{\"order\":{\"item\":[\(items)]}}"
        for order in 0..<60 {
            var request = Request.payment(order: "\(order)")
            request.body = Array(body.utf8)
            _ = await control.send(request)
        }
        let log = try await control.control(.get, "requests")
        #expect(log.body.count <= RequestLog.byteCountMax + 1024)
        #expect((10..<40).contains(log.elements("requests").count))
        #expect(log.elements("requests").last?["order"] == "59")
    }

    @Test func `of a content that is too long only its length is shown`() async throws {
        let control = try TestControl()
        var request = Request.payment()
        request.body = Array("[\"\(String(repeating: "a", count: 200_000))\"]".utf8)
        _ = await control.send(request)
        let log = try await control.control(.get, "requests").elements("requests")
        #expect(log.first?["request"]?["bytes"] == 200_004)
    }
}
