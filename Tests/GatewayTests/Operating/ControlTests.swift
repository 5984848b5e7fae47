import Foundation
import Glibc
import JSON
import Testing

/// Sandbox control as the built program serves it.
@Suite(.timeLimit(.minutes(30)))
struct ControlTests {
    private static let token = "a-token-of-sixteen-or-more"

    @Test func `a sandbox is found, tested, and reset from this machine`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }

        let sandbox = try gateway.control("GET", "sandbox")
        #expect(sandbox["baseUrl"] == "http://127.0.0.1:\(gateway.port)")
        #expect(sandbox["merchant"] == "TESTMERCHANT")
        // The name of the version before.
        #expect(sandbox["merchantId"] == "TESTMERCHANT")
        #expect(sandbox["password"] == gateway.credentials.password)
        #expect(sandbox["applePay.merchantIdentifier"] == "merchant.local.tollgate.testmerchant")
        #expect(sandbox["applePay.certificate"]?.hasPrefix("-----BEGIN CERTIFICATE-----") == true)
        #expect(try gateway.control("GET", "health")["status"] == "READY")

        let minted = try gateway.control("POST", "tokens", #"{"amount":"5757.00","currency":"USD"}"#)
        let token = try #require(minted["paymentToken"])
        let paid = try gateway.put(TransactionPath(), PaymentRequest.token(token, amount: "5757.00"))
        #expect(paid["response.gatewayCode"] == "DECLINED")
        #expect(try gateway.control("GET", "requests?order=order-1").text.contains(#""gatewayCode":"DECLINED""#))

        #expect(try gateway.control("POST", "reset")["result"] == "SUCCESS")
        #expect(try gateway.get(TransactionPath()).status == 400)
        #expect(try gateway.control("GET", "requests?order=order-1&limit=1").text.contains(#""status":400"#))
        #expect(try gateway.stop() == .exited(0))
    }

    @Test func `the reset of a merchant frees all that it used`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        let merchant = gateway.credentials.merchant
        let base = "/api/rest/version/100/merchant/\(merchant)"
        let minted = try gateway.control("POST", "tokens", #"{"amount":"5656.00","currency":"USD"}"#)
        let payment = PaymentRequest.token(try #require(minted["paymentToken"]), amount: "5656.00")
        #expect(try gateway.put(TransactionPath(), payment).status == 201)
        let session = try gateway.send("POST", base + "/session")
        let card = try gateway.send(
            "POST", base + "/token",
            Array(
                """
                {"sourceOfFunds":{"type":"CARD","provided":{"card":
                {"number":"5123450000000008","expiry":{"month":"01","year":"39"}}}}}
                """.utf8))
        let paths = [
            base + "/session/" + (try #require(session["session.id"])),
            base + "/token/" + (try #require(card["token"])),
            TransactionPath().ofOrder,
        ]
        for path in paths { #expect(try gateway.send("GET", path).status == 200, "\(path)") }

        #expect(try gateway.control("POST", "reset", #"{"merchant":"\#(merchant)"}"#)["result"] == "SUCCESS")
        for path in paths { #expect(try gateway.send("GET", path).status == 400, "\(path)") }
        // The token pays for another order.
        #expect(try gateway.put(TransactionPath(order: "order-2"), payment).status == 201)
        #expect(try gateway.put(TransactionPath(order: "order-3"), payment).status == 400)
    }

    @Test func `control explains a token as the command does`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        for defect in ["", #","defect":"tag-altered""#, #","defect":"signature-altered""#] {
            let minted = try gateway.control("POST", "tokens", #"{"amount":"56.56","currency":"USD"\#(defect)}"#)
            let token = try #require(minted["paymentToken"])
            let command = try folder.inspect(token.utf8)
            var report = try JSONValue(
                parsing: Array(gateway.control("POST", "inspect", #"{"token":\#(token)}"#).text.utf8))
            guard case .object(var members) = report else { throw HTTPConnection.Failure.notHTTP("\(report)") }
            #expect(members["merchant"] == "TESTMERCHANT")
            members["merchant"] = nil
            report = .object(members)
            #expect(report == command.json)
        }
    }

    @Test func `an operation's reply is cut, and its transaction stays through a crash`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        _ = try gateway.control("POST", "outcomes", #"{"order":"order-1","reply":"CUT","gatewayCode":"EXPIRED_CARD"}"#)
        let request = PaymentRequest.plain("10.00")

        let connection = try HTTPConnection(port: gateway.port)
        try connection.send(Array(gateway.head(of: TransactionPath(), request.count).utf8) + request)
        #expect(try connection.isClosedByPeer())

        gateway.kill()
        let next = try RunningGateway(in: folder)
        defer { next.kill() }
        let again = try next.put(TransactionPath(), request)
        #expect(again.status == 201)
        #expect(again["response.gatewayCode"] == "EXPIRED_CARD")
        #expect(again["response.acquirerCode"] == "54")
    }

    @Test func `a set clock is the one that tokens are minted and judged by`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        let before = try folder.mint("1.00")
        let set = try gateway.control("PUT", "clock", #"{"instant":"2031-02-03T04:05:06Z"}"#)
        #expect(set["instant"]?.hasPrefix("2031-02-03T04:05:0") == true)

        let stale = try gateway.put(TransactionPath(), PaymentRequest.token(before, amount: "1.00"))
        #expect(stale["error.explanation"]?.contains("'signingTime'") == true)
        let good = try gateway.put(TransactionPath(), PaymentRequest.token(try folder.mint("1.00"), amount: "1.00"))
        #expect(good.status == 201)
        #expect(good["timeOfRecord"]?.hasPrefix("2031-02-03T04:") == true)
        #expect(good["transaction.receipt"]?.hasPrefix("1034") == true)

        _ = try gateway.control("PUT", "clock", "null")
        let now = try folder.mint("1.00")
        #expect(try gateway.put(TransactionPath(order: "b"), PaymentRequest.token(now, amount: "1.00")).status == 201)
    }

    @Test func `the description of the interface is served`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        let reply = try gateway.control("GET", "openapi.yaml")
        #expect(reply.status == 200)
        #expect(reply.field("content-type") == "application/yaml")
        #expect(reply.text.hasPrefix("openapi: 3.1"))
        #expect(reply.text.contains("/_tollgate/outcomes"))
    }

    @Test(arguments: [
        "Host: evil.example\r\n", "Host: 127.0.0.1\r\nOrigin: https://evil.example\r\n",
        "Host: localhost\r\nX-Forwarded-For: 192.0.2.7\r\n",
    ])
    func `a page of elsewhere finds no control`(fields: String) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        let connection = try HTTPConnection(port: gateway.port)
        try connection.send("GET /_tollgate/sandbox HTTP/1.1\r\n\(fields)Connection: close\r\n\r\n")
        let reply = try HTTPReply(only: try connection.receiveToEnd())
        #expect(reply.status == 404)
        #expect(!reply.text.contains(gateway.credentials.password))
    }

    @Test func `without a sandbox there is no control`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        try folder.write("config/merchants/SHOP.yaml", Array("passwords: [{environment: SHOP_PASSWORD}]".utf8))
        let gateway = try RunningGateway(
            in: folder, "--config", folder.path + "/config", environment: ["SHOP_PASSWORD": "a-long-enough-password"],
            credentials: RunningGateway.Credentials(merchant: "SHOP", password: "a-long-enough-password"))
        defer { gateway.kill() }
        for path in ["sandbox", "requests", "reset", "outcomes", "health"] {
            let reply = try gateway.control("GET", path)
            #expect(reply.status == 404)
            #expect(reply.text.contains("--control-port"))
        }
    }

    @Test(arguments: [false, true])
    func `with merchants of one's own the merchants' port has no control`(comesLater: Bool) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        try FileManager.default.createDirectory(
            atPath: folder.path + "/config/merchants", withIntermediateDirectories: true)
        func addMerchant() throws {
            try folder.writeSecret(
                "config/merchants/SHOP.yaml", Array("passwords: [{environment: SHOP_PASSWORD}]".utf8))
        }
        if !comesLater { try addMerchant() }
        let gateway = try RunningGateway(
            in: folder, "--config", folder.path + "/config", "--sandbox", "true",
            environment: ["SHOP_PASSWORD": "a-long-enough-password"])
        defer { gateway.kill() }
        if comesLater {
            #expect(try gateway.control("GET", "sandbox").status == 200)
            try addMerchant()
            gateway.process.signal(SIGHUP)
            _ = try gateway.process.output(until: "SHOP")
        }
        for (method, path) in [("GET", "sandbox"), ("POST", "reset"), ("GET", "requests"), ("POST", "outcomes")] {
            let reply = try gateway.control(method, path)
            #expect(reply.status == 404)
            #expect(reply["error.explanation"]?.contains("--control-port") == true, "\(reply.text)")
        }
        if !comesLater {
            #expect(try gateway.process.output(until: "\noperations").contains("control     off: "))
        }
    }

    @Test func `on a port of its own control wants its token, and is nowhere else`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let file = try folder.writeSecret("token", Array("\(Self.token)\nanything else\n".utf8))
        let gateway = try RunningGateway(in: folder, "--control-port", "0", "--control-token-file", file)
        defer { gateway.kill() }
        let banner = try gateway.process.output(until: "with the bearer token")
        let line = try #require(banner.split(separator: "\n").first { $0.hasPrefix("control") })
        let port = try #require(UInt16(line.split(separator: ":")[2].prefix { $0.isNumber }))

        #expect(try gateway.control("GET", "sandbox").status == 404)
        for authorization in ["", "Authorization: Bearer \(Self.token)x\r\n", gateway.credentials.field] {
            let refused = try gateway.control("GET", "sandbox", port: port, authorization: authorization)
            #expect(refused.status == 401)
            #expect(refused.field("www-authenticate")?.hasPrefix("Bearer") == true)
        }
        let authorization = "Authorization: Bearer \(Self.token)\r\n"
        let sandbox = try gateway.control("GET", "sandbox", port: port, authorization: authorization)
        #expect(sandbox["baseUrl"] == "http://127.0.0.1:\(gateway.port)")
        // The merchants' API is not there.
        let elsewhere = try gateway.send(
            "GET", "/api/rest/version/100/information", port: port, authorization: authorization)
        #expect(elsewhere.status == 404)
        #expect(try gateway.send("GET", "/api/rest/version/100/information").status == 200)
        #expect(try gateway.stop() == .exited(0))
    }

    @Test(arguments: [
        ["--control-port", "x"], ["--control-port", "65536"],
        ["--control-port", "0", "--control-token-file", "no-such-file"],
    ])
    func `control is not served on a port or with a token file that can't be`(arguments: [String]) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let result = try folder.run(["serve", "--port", "0", "--data", folder.data] + arguments)
        #expect(result.status != 0)
        #expect(result.text.isEmpty)
        #expect(result.errors.contains(arguments.last ?? ""))
    }

    @Test(arguments: [("short", 0o600), ("", 0o600), (token, 0o644)])
    func `a token that is short or that others may read is refused`(token: String, mode: Int) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let file = try folder.writeSecret("token", Array(token.utf8), mode: mode)
        let result = try folder.run(
            "serve", "--port", "0", "--data", folder.data, "--control-port", "0", "--control-token-file", file)
        #expect(result.status != 0)
        #expect(result.errors.contains(file))
        #expect(token.isEmpty || !result.errors.contains(token) || token == "short")
    }

    @Test(arguments: [
        ("{expiry: 13/39, gatewayCode: APPROVED}", "", "expiry"),
        ("{expiry: 1/39, gatewayCode: APPROVED}", "", "expiry"),
        ("{expiry: +1/39, gatewayCode: APPROVED}", "", "expiry"),
        ("{expiry: 01/39, gatewayCode: FINE}", "", "gatewayCode"),
        ("{expiry: 01/39, gatewayCode: BLOCKED}", "", "BLOCKED"), ("{expiry: 01/39}", "", "gatewayCode"),
        ("{expiry: 01/39, gatewayCode: APPROVED}, {expiry: 01/39, gatewayCode: APPROVED}", "", "row already"),
        ("", "{securityCode: 12, gatewayCode: MATCH, acquirerCode: M}", "securityCode"),
        ("", "{securityCode: abc, gatewayCode: MATCH, acquirerCode: M}", "securityCode"),
        ("", "{securityCode: '100', gatewayCode: FINE, acquirerCode: M}", "gatewayCode"),
        ("", "{securityCode: '100', gatewayCode: MATCH}", "acquirerCode"),
    ])
    func `the error for an impossible card in the simulator's file names it`(
        expiries: String, securityCodes: String, name: String
    ) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let shipped = try String(contentsOfFile: "\(BuiltProgram.repository)/Config/simulator.yaml", encoding: .utf8)
        let start = try #require(shipped.range(of: "\ncards:\n"))
        let end = try #require(shipped.range(of: "\n# The acquirer's own data"))
        let file =
            shipped[..<start.lowerBound] + "\ncards: {expiries: [\(expiries)], securityCodes: [\(securityCodes)]}\n"
            + shipped[end.lowerBound...]
        try folder.write("config/simulator.yaml", Array(file.utf8))
        let result = try folder.run(
            "serve", "--port", "0", "--data", folder.data, "--config", folder.path + "/config")
        #expect(result.status != 0)
        #expect(result.errors.contains("simulator.yaml"))
        #expect(result.errors.contains(name), "\(result.errors)")
    }

    @Test(arguments: [
        ("cards: {issuers: [{bin: 1234567, issuer: A}]}", "bin"), ("cards: {issuers: [{bin: '', issuer: A}]}", "bin"),
        ("cards: {issuers: [{bin: 12345a, issuer: A}]}", "bin"), ("cards: {issuers: [{bin: 123456}]}", "issuer"),
        ("cards: {issuers: [{bin: 12, issuer: A}, {bin: 12, issuer: B}]}", "row already"),
        ("cards: {otherSecurityCodes: {gatewayCode: FINE, acquirerCode: M}}", "gatewayCode"),
        ("cards: {otherSecurityCodes: {gatewayCode: MATCH}}", "acquirerCode"),
        ("billingStreets: [{street: '', gatewayCode: NO_MATCH, acquirerCode: N}]", "street"),
        ("billingStreets: [{street: A St, gatewayCode: FINE, acquirerCode: N}]", "gatewayCode"),
        ("billingStreets: [{street: A St, gatewayCode: NO_MATCH}]", "acquirerCode"),
        (
            "billingStreets: [{street: A St, gatewayCode: NO_MATCH, acquirerCode: N}, "
                + "{street: a st, gatewayCode: NO_MATCH, acquirerCode: N}]", "row already"
        ),
    ])
    func `the error for an impossible issuer or street in the simulator's file names it`(
        text: String, name: String
    ) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let shipped = try String(contentsOfFile: "\(BuiltProgram.repository)/Config/simulator.yaml", encoding: .utf8)
        let start = try #require(shipped.range(of: "\ncards:\n"))
        let end = try #require(shipped.range(of: "\n# The acquirer's own data"))
        try folder.write(
            "config/simulator.yaml",
            Array((shipped[..<start.lowerBound] + "\n\(text)\n" + shipped[end.lowerBound...]).utf8))
        let result = try folder.run(
            "serve", "--port", "0", "--data", folder.data, "--config", folder.path + "/config")
        #expect(result.status != 0)
        #expect(result.errors.contains("simulator.yaml") && result.errors.contains(name), "\(result.errors)")
    }

    @Test func `plain cards steer as Mastercard documents it`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        let expiries = [
            ("01", "39", "APPROVED"), ("05", "39", "DECLINED"), ("04", "27", "EXPIRED_CARD"), ("08", "28", "TIMED_OUT"),
            ("01", "37", "ACQUIRER_SYSTEM_ERROR"), ("02", "37", "UNSPECIFIED_FAILURE"), ("05", "37", "UNKNOWN"),
            ("06", "30", "APPROVED"),
        ]
        for (month, year, code) in expiries {
            let path = TransactionPath(order: "\(month)-\(year)")
            let reply = try gateway.put(path, PaymentRequest.plain("5656", month: month, year: year))
            #expect(reply.status == 201)
            #expect(reply["response.gatewayCode"] == code, "\(month)/\(year)")
            #expect(reply["response.cardSecurityCode.gatewayCode"] == nil)
        }
        let codes = [
            ("100", "MATCH", "M"), ("101", "NOT_PROCESSED", "P"), ("102", "NO_MATCH", "N"), ("1000", "MATCH", "M"),
            ("1010", "NOT_PROCESSED", "P"), ("1020", "NO_MATCH", "N"),
        ]
        for (code, gatewayCode, acquirerCode) in codes {
            let path = TransactionPath(order: "csc-\(code)")
            let number = code.count == 4 ? "345678901234564" : "4508750015741019"
            let request = PaymentRequest.plain("10", number: number, securityCode: code)
            for reply in [try gateway.put(path, request), try gateway.get(path)] {
                #expect(reply["response.gatewayCode"] == "APPROVED")
                #expect(reply["response.cardSecurityCode.gatewayCode"] == gatewayCode)
                #expect(reply["response.cardSecurityCode.acquirerCode"] == acquirerCode)
            }
        }
    }
}

extension RunningGateway {
    /// Sends one request to control.
    func control(
        _ method: String, _ path: String, _ body: String = "", port: UInt16? = nil, authorization: String = ""
    ) throws -> HTTPReply {
        try send(method, "/_tollgate/" + path, body, port: port, authorization: authorization)
    }

    /// Sends one request to a port on a connection of its own.
    func send(
        _ method: String, _ path: String, _ body: String = "", port: UInt16?, authorization: String
    ) throws -> HTTPReply {
        try Exchange.reply(method, path, Array(body.utf8), port: port ?? self.port, fields: authorization)
    }

    /// The head of a request that sends a transaction.
    func head(of path: TransactionPath, _ length: Int) -> String {
        "PUT \(path.text) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\(credentials.field)Content-Length: \(length)\r\n\r\n"
    }
}

extension PaymentRequest {
    /// A payment with a plain card.
    static func plain(
        _ amount: String, number: String = "4508750015741019", month: String = "06", year: String = "30",
        securityCode: String? = nil
    ) -> [UInt8] {
        var card: JSONObject = [
            "expiry": ["month": .string(month), "year": .string(year)], "number": .string(number),
        ]
        card["securityCode"] = securityCode.map { .string($0) }
        return body(amount: amount, operation: "PAY", wallet: nil, card: .object(card))
    }
}
