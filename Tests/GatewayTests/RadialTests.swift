import Glibc
import JSON
import Testing

/// Radial's API of the built program, asked with curl.
struct RadialTests {
    private static let namespace = "http://api.gsicommerce.com/schema/checkout/1.0"

    private static let payer = """
        <BillingFirstName>John</BillingFirstName><BillingLastName>Smith</BillingLastName>
        <BillingPhoneNo>6101234567</BillingPhoneNo>
        <BillingAddress><Line1>123 Main St</Line1><City>Philadelphia</City><CountryCode>US</CountryCode></BillingAddress>
        <CustomerEmail>customer@sample.com</CustomerEmail><CustomerIPAddress>208.247.73.130</CustomerIPAddress>
        <ShipToFirstName>John</ShipToFirstName><ShipToLastName>Smith</ShipToLastName>
        <ShippingAddress><Line1>123 Main St</Line1><City>Philadelphia</City><CountryCode>US</CountryCode></ShippingAddress>
        """

    private static func auth(_ order: String, amount: String, requestID: String) -> String {
        """
        <CreditCardAuthRequest xmlns="\(namespace)" requestId="\(requestID)">
        <PaymentContext><OrderId>\(order)</OrderId>
        <PaymentAccountUniqueId isToken="false">4012000033330026</PaymentAccountUniqueId></PaymentContext>
        <ExpirationDate>2039-01</ExpirationDate><CardSecurityCode>100</CardSecurityCode>
        <Amount currencyCode="USD">\(amount)</Amount>\(payer)<SchemaVersion>1.2</SchemaVersion></CreditCardAuthRequest>
        """
    }

    /// A request that names an order made before.
    private static func later(
        _ name: String, _ order: String, _ token: String, requestID: String, _ further: String = ""
    ) -> String {
        """
        <\(name) xmlns="\(namespace)" requestId="\(requestID)"><PaymentContext><OrderId>\(order)</OrderId>
        <PaymentAccountUniqueId isToken="true">\(token)</PaymentAccountUniqueId></PaymentContext>
        <Amount currencyCode="USD">14.99</Amount>\(further)</\(name)>
        """
    }

    private static func settlement(_ type: String) -> String {
        "<TaxAmount currencyCode=\"USD\">0.00</TaxAmount><SettlementType>\(type)</SettlementType>"
    }

    @Test func `an outcome steers Radial's requests, in the codes of its row`() throws {
        let folder = try TestFolder()
        let gateway = try RunningGateway(in: folder)
        let store = RadialCurl(gateway, folder)
        for outcome in [
            #"{"gatewayCode":"INSUFFICIENT_FUNDS","operation":"AUTHORIZE","amount":"14.99","lastFour":"0026"}"#,
            #"{"gatewayCode":"TIMED_OUT","operation":"VOID"}"#,
        ] {
            let added = try gateway.control("POST", "outcomes", outcome)
            #expect(added.status == 201, "\(added.text)")
        }
        func authorize(_ requestID: String) throws -> RadialCurl.Reply {
            try store.post("creditcard/auth/VC.xml", Self.auth("o1", amount: "14.99", requestID: requestID))
        }
        let declined = try authorize("r1")
        #expect(declined.text("ResponseCode") == "DECLF")
        #expect(declined.text("AuthorizationResponseCode") == "ND02")
        // A repeated request gets its answer; the simulator decides on the next one.
        #expect(try authorize("r1") == declined)
        let approved = try authorize("r2")
        #expect(approved.text("ResponseCode") == "APPROVED")
        let token = try #require(approved.text("PaymentAccountUniqueId"))
        let cancel = Self.later("PaymentAuthCancelRequest", "o1", token, requestID: "r3")
        #expect(try store.post("auth/cancel/VC.xml", cancel).text("ResponseCode") == "Timeout")
        #expect(try gateway.control("GET", "outcomes").text == #"{"outcomes":[]}"#)
    }

    @Test func `the reset of a merchant frees Radial's request ids and account tokens`() throws {
        let folder = try TestFolder()
        let gateway = try RunningGateway(in: folder)
        let store = RadialCurl(gateway, folder)
        func authorize(_ amount: String) throws -> RadialCurl.Reply {
            try store.post("creditcard/auth/VC.xml", Self.auth("o1", amount: amount, requestID: "r1"))
        }
        let token = try #require(try authorize("14.99").text("PaymentAccountUniqueId"))
        #expect(try authorize("15.99").text("Code") == "DuplicateRequestException")
        let merchant = gateway.credentials.merchant
        #expect(try gateway.control("GET", "requests?merchant=\(merchant)").text.contains("/v1.0/"))

        #expect(try gateway.control("POST", "reset", #"{"merchant":"\#(merchant)"}"#)["result"] == "SUCCESS")
        #expect(try !gateway.control("GET", "requests").text.contains("/v1.0/"))
        let cancel = Self.later("PaymentAuthCancelRequest", "o1", token, requestID: "r2")
        #expect(try store.post("auth/cancel/VC.xml", cancel).text("ResponseCode") != "Success")
        #expect(try authorize("15.99").text("ResponseCode") == "APPROVED")
    }

    @Test func `a card is authorized and cancelled, and Mastercard's API shows it`() throws {
        let folder = try TestFolder()
        let gateway = try RunningGateway(in: folder)
        let store = RadialCurl(gateway, folder)
        let first = try store.post("creditcard/auth/VC.xml", Self.auth("o1", amount: "14.99", requestID: "r1"))
        #expect(first.status == 200)
        #expect(first.text("ResponseCode") == "APPROVED")
        let token = try #require(first.text("PaymentAccountUniqueId"))
        #expect(token.hasPrefix("401200") && token.hasSuffix("0026") && token.count == 16)

        // The same request again has the same bytes; another one of its name is refused.
        #expect(try store.post("creditcard/auth/VC.xml", Self.auth("o1", amount: "14.99", requestID: "r1")) == first)
        let other = try store.post("creditcard/auth/VC.xml", Self.auth("o1", amount: "15.99", requestID: "r1"))
        #expect(other.status == 400)
        #expect(other.text("Code") == "DuplicateRequestException")

        let found = try gateway.get(TransactionPath(order: "o1", transaction: "r1"))
        #expect(found.status == 200)
        let cancelled = try store.post(
            "auth/cancel/VC.xml", Self.later("PaymentAuthCancelRequest", "o1", token, requestID: "r2"))
        #expect(cancelled.text("ResponseCode") == "Success")
        let order = try gateway.send("GET", TransactionPath(order: "o1").ofOrder)
        #expect(try order.json["status"] == "CANCELLED")

        // Neither the number nor the key is kept or told; what the sandbox's own files hold of the key is its own.
        let scanner = SecretScanner([.init("number", "4012000033330026"), .init("key", gateway.credentials.password)])
        let findings = try scanner.findings(below: folder.data).filter { !$0.hasPrefix("sandbox/password: ") }
        #expect(findings == [])
        let told = try folder.read("errors")
        #expect(scanner.findings(in: told) == [])
        _ = try gateway.stop()
    }

    @Test(arguments: [("5757.00", "DECL", "ND01"), ("5858.00", "TIMEOUT", "TO01"), ("6262.00", "DECL", "NR12")])
    func `the shipped table has Radial's codes of an amount`(amount: String, response: String, authorization: String)
        throws
    {
        let folder = try TestFolder()
        let gateway = try RunningGateway(in: folder)
        let store = RadialCurl(gateway, folder)
        let reply = try store.post("creditcard/auth/VC.xml", Self.auth("o1", amount: amount, requestID: "r1"))
        #expect(reply.status == 200)
        #expect(reply.text("ResponseCode") == response)
        #expect(reply.text("AuthorizationResponseCode") == authorization)
        #expect(reply.text("AmountAuthorized") == "0.00")
        #expect(reply.text("BankAuthorizationCode")?.isEmpty == true)
        _ = try gateway.stop()
    }

    @Test func `a key that is not the store's is 401, and an unknown path 404`() throws {
        let folder = try TestFolder()
        let gateway = try RunningGateway(in: folder)
        let auth = Self.auth("o1", amount: "14.99", requestID: "r1")
        #expect(try RadialCurl(gateway, folder, apiKey: "wrong").post("creditcard/auth/VC.xml", auth).status == 401)
        #expect(try RadialCurl(gateway, folder).post("creditcard/auth/VC", auth).status == 404)
        #expect(try RadialCurl(gateway, folder).post("decryptblob", "<x/>").status == 404)
        _ = try gateway.stop()
    }

    @Test func `a merchant's file names its store, whose key is printed once`() throws {
        let folder = try TestFolder()
        try folder.write("config/.keep", [])
        let options = ["--config", folder.path + "/config"]
        let made = try folder.run(["merchant", "create", "SHOP", "--radial-store", "TMSUS"] + options)
        #expect(made.status == 0, "\(made.errors)")
        let line = try #require(made.text.split(separator: "\n").first { $0.hasPrefix("apikey: ") })
        let apiKey = String(line.dropFirst("apikey: ".count))
        let kept = try folder.text("config/merchants/SHOP.yaml")
        #expect(!kept.contains(apiKey))
        let gateway = try RunningGateway(in: folder, options[0], options[1], credentials: .init(password: ""))
        let auth = Self.auth("o1", amount: "14.99", requestID: "r1")
        let store = RadialCurl(gateway, folder, store: "TMSUS", apiKey: apiKey)
        #expect(try store.post("creditcard/auth/VC.xml", auth).text("ResponseCode") == "APPROVED")
        let other = RadialCurl(gateway, folder, store: "SHOP", apiKey: apiKey)
        #expect(try other.post("creditcard/auth/VC.xml", auth).status == 401)
        _ = try gateway.stop()
    }

    @Test func `settlements are sent to the webhook until it accepts them, and after a restart`() throws {
        let folder = try TestFolder()
        let receiver = try WebhookReceiver()
        let options = ["--radial-webhook", "http://127.0.0.1:\(receiver.port)/events"]
        var gateway = try RunningGateway(in: folder, options[0], options[1])
        var store = RadialCurl(gateway, folder)
        let auth = try store.post("creditcard/auth/VC.xml", Self.auth("o1", amount: "14.99", requestID: "r1"))
        let token = try #require(auth.text("PaymentAccountUniqueId"))
        let confirmed = try store.post(
            "funds/confirm/VC.xml", Self.later("ConfirmFundsRequest", "o1", token, requestID: "r2"))
        #expect(confirmed.text("FundsAvailable") == "Success")
        let debit = try store.post(
            "settlement/create/VC.xml",
            Self.later("PaymentSettlementRequest", "o1", token, requestID: "r3", Self.settlement("Debit")))
        #expect(debit.status == 200)
        // The first attempt is not taken, and the gateway ends at once.
        #expect(try receiver.next(answering: 500).contains("<SettlementType>Debit</SettlementType>"))
        gateway.kill()
        gateway = try RunningGateway(in: folder, options[0], options[1])
        store = RadialCurl(gateway, folder)
        let credit = try store.post(
            "settlement/create/VC.xml",
            Self.later("PaymentSettlementRequest", "o1", token, requestID: "r4", Self.settlement("Credit")))
        #expect(credit.status == 200)
        let events = [try receiver.next(answering: 200), try receiver.next(answering: 200)]
        for type in ["Debit", "Credit"] {
            #expect(
                events.contains {
                    $0.contains("<SettlementType>\(type)</SettlementType>")
                        && $0.contains("<SettlementStatus>S</SettlementStatus>")
                })
        }
        _ = try gateway.stop()
    }

    @Test func `an event has one id each time it is sent, and an equal settlement's event has another`() throws {
        let folder = try TestFolder()
        let receiver = try WebhookReceiver()
        let options = ["--radial-webhook", "http://127.0.0.1:\(receiver.port)/events"]
        var gateway = try RunningGateway(in: folder, options[0], options[1])
        defer { gateway.kill() }
        let store = RadialCurl(gateway, folder)
        let auth = try store.post("creditcard/auth/VC.xml", Self.auth("o1", amount: "14.99", requestID: "r1"))
        let token = try #require(auth.text("PaymentAccountUniqueId"))
        func settle(_ requestID: String, _ store: RadialCurl) throws {
            let request = Self.later(
                "PaymentSettlementRequest", "o1", token, requestID: requestID, Self.settlement("Debit"))
            let settled = try store.post("settlement/create/VC.xml", request.replacing("14.99", with: "5.00"))
            #expect(settled.status == 200)
        }
        func id(_ event: String) throws -> String {
            let name = "\r\nTollgate-Event-Id: "
            let fields = event.ranges(of: name)
            #expect(fields.count == 1)
            return String(event[try #require(fields.first).upperBound...].prefix { $0 != "\r\n" })
        }
        try settle("r2", store)
        let first = try id(receiver.next(answering: 500))
        #expect(first.utf8.count == 32)
        #expect(try id(receiver.next(answering: 500)) == first)
        gateway.kill()
        gateway = try RunningGateway(in: folder, options[0], options[1])
        #expect(try id(receiver.next(answering: 200)) == first)
        try settle("r3", RadialCurl(gateway, folder))
        #expect(try id(receiver.next(answering: 200)) != first)
    }

    @Test func `one merchant's webhook receives a settlement while those of seven others hang`() throws {
        let folder = try TestFolder()
        let secret = String(repeating: "0123456789abcdef", count: 2)
        // Connections to one are taken by the system, and nobody answers.
        let (silent, receiver) = (try WebhookReceiver(), try WebhookReceiver())
        let merchants = (1...7).map { ("SILENT\($0)", silent.port) } + [("SHOP", receiver.port)]
        for (merchant, port) in merchants {
            let file = """
                passwords: [{environment: SECRET}]
                radial:
                  storeID: \(merchant)
                  apiKeys: [{environment: SECRET}]
                  webhook: {url: 'http://127.0.0.1:\(port)/'}
                """
            try folder.write("config/merchants/\(merchant).yaml", Array(file.utf8))
        }
        let gateway = try RunningGateway(
            in: folder, "--config", folder.path + "/config", environment: ["SECRET": secret],
            credentials: .init(merchant: "SHOP", password: secret))
        defer { gateway.kill() }
        for (merchant, _) in merchants {
            let store = RadialCurl(gateway, folder, store: merchant, apiKey: secret)
            let auth = try store.post("creditcard/auth/VC.xml", Self.auth("o1", amount: "14.99", requestID: "r1"))
            let token = try #require(auth.text("PaymentAccountUniqueId"))
            _ = try store.post("funds/confirm/VC.xml", Self.later("ConfirmFundsRequest", "o1", token, requestID: "r2"))
            let debit = try store.post(
                "settlement/create/VC.xml",
                Self.later("PaymentSettlementRequest", "o1", token, requestID: "r3", Self.settlement("Debit")))
            #expect(debit.status == 200)
        }
        // One after the other they would take seventy seconds before it.
        #expect(try receiver.next(answering: 200).contains("<SettlementType>Debit</SettlementType>"))
    }

    @Test(arguments: [true, false])
    func `a webhook over TLS is sent to only if its certificate is known`(isKnown: Bool) throws {
        let folder = try TestFolder()
        let receiverFolder = try TestFolder()
        let files = try TLSFiles("hook", in: folder)
        let other = try TLSFiles("other", in: folder)
        // Whatever serves HTTPS will do: this one answers that there is nothing under the path.
        let receiver = try TLSGateway(
            in: receiverFolder, files.options + ["--operations-port", "0"], trust: files.certificatePath)
        let gateway = try RunningGateway(
            in: folder, "--radial-webhook", "https://localhost:\(receiver.port)/x",
            environment: ["SSL_CERT_FILE": (isKnown ? files : other).certificatePath])
        let store = RadialCurl(gateway, folder)
        let auth = try store.post("creditcard/auth/VC.xml", Self.auth("o1", amount: "14.99", requestID: "r1"))
        let token = try #require(auth.text("PaymentAccountUniqueId"))
        _ = try store.post(
            "settlement/create/VC.xml",
            Self.later("PaymentSettlementRequest", "o1", token, requestID: "r2", Self.settlement("Debit")))
        let line = "webhook: https://localhost:\(receiver.port): " + (isKnown ? "answered 404" : "TLS: ")
        #expect(try folder.errors(until: line).contains(line))
        _ = try gateway.stop()
        receiver.kill()
    }

    @Test(arguments: [["-tls1_2"], ["-tls1_3"], ["-tls1_3", "-num_tickets", "0"], ["-tls1_2", "-num_tickets", "0"]])
    func `a webhook's server that speaks only when it was spoken to is told`(options: [String]) throws {
        let folder = try TestFolder()
        let files = try TLSFiles("hook", in: folder)
        let server = try TLSCommandServer(files, options, in: folder)
        defer { server.process.kill() }
        let gateway = try RunningGateway(
            in: folder, "--radial-webhook", "https://localhost:\(server.port)/events",
            environment: ["SSL_CERT_FILE": files.certificatePath])
        defer { gateway.kill() }
        let store = RadialCurl(gateway, folder)
        let auth = try store.post("creditcard/auth/VC.xml", Self.auth("o1", amount: "14.99", requestID: "r1"))
        let token = try #require(auth.text("PaymentAccountUniqueId"))
        _ = try store.post(
            "settlement/create/VC.xml",
            Self.later("PaymentSettlementRequest", "o1", token, requestID: "r2", Self.settlement("Debit")))
        // The whole request is there before the server has said anything.
        _ = try server.process.output(until: "</PaymentSettlementStatus>")
        try server.send("HTTP/1.1 418 Answer\r\nContent-Length: 0\r\n\r\n")
        let line = "webhook: https://localhost:\(server.port): answered 418"
        #expect(try folder.errors(until: line).contains(line))
    }
}

/// `openssl s_server`, which sends what a test tells it to, and nothing before.
private final class TLSCommandServer {
    let process: ChildProcess
    let port: UInt16
    private let input: Int32

    init(_ files: TLSFiles, _ options: [String], in folder: TestFolder) throws {
        try folder.makePipe("server-input")
        input = open(folder.path + "/server-input", O_RDWR | O_CLOEXEC)
        guard input >= 0 else { throw ChildProcess.Failure.system("open", errno) }
        process = try ChildProcess(
            "/usr/bin/openssl",
            ["s_server", "-accept", "127.0.0.1:0", "-cert", files.certificatePath, "-key", files.keyPath] + options,
            input: folder.path + "/server-input", errors: folder.path + "/server-errors")
        var output = try process.output(until: "ACCEPT 127.0.0.1:")
        while !output.hasSuffix("\n") { output = try process.output(until: output + "\n") }
        port = try #require(output.split(separator: ":").last.flatMap { UInt16($0.filter(\.isNumber)) })
    }

    deinit { close(input) }

    func send(_ text: String) throws {
        let bytes = Array(text.utf8)
        guard write(input, bytes, bytes.count) == bytes.count else { throw ChildProcess.Failure.system("write", errno) }
    }
}

extension TestFolder {
    /// What gateways wrote to standard error, once it holds `text`, or when patience is at its end.
    fileprivate func errors(until text: String) throws -> String {
        for _ in 0..<Patience.seconds * 20 {
            let errors = try self.text("errors")
            if errors.contains(text) { return errors }
            usleep(50_000)
        }
        return try self.text("errors")
    }
}

/// A store's requests by curl, as the documentation shows them.
struct RadialCurl {
    /// Status and content.
    struct Reply: Equatable {
        let status: Int
        let content: String

        /// The text of the first element of a name.
        func text(_ name: String) -> String? {
            guard let start = content.firstRange(of: "<\(name)")?.upperBound,
                let open = content[start...].firstIndex(of: ">"),
                let end = content[open...].firstRange(of: "</\(name)>")?.lowerBound
            else { return nil }
            return String(content[content.index(after: open)..<end])
        }
    }

    private let url: String
    private let apiKey: String
    private let folder: TestFolder

    /// Requests for the sandbox merchant's store.
    init(_ gateway: RunningGateway, _ folder: TestFolder, store: String? = nil, apiKey: String? = nil) {
        url = "http://127.0.0.1:\(gateway.port)/v1.0/stores/\(store ?? gateway.credentials.merchant)/payments/"
        self.apiKey = apiKey ?? gateway.credentials.password
        self.folder = folder
    }

    func post(_ service: String, _ content: String) throws -> Reply {
        let file = try folder.write("request.xml", Array(content.utf8))
        let curl = try ChildProcess(
            "/usr/bin/curl",
            [
                "-sS", "--max-time", "60", "-w", "\n%{http_code}", "-H", "apikey: \(apiKey)", "-H",
                "Content-Type: text/xml", "--data-binary", "@" + file, url + service,
            ], errors: folder.path + "/curl-errors")
        let output = String(decoding: try curl.outputToEnd(), as: UTF8.self)
        let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
        return Reply(status: lines.last.flatMap { Int($0) } ?? 0, content: lines.dropLast().joined(separator: "\n"))
    }
}
