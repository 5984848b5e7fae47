import Glibc
import HTTP
import HTTPTypes
import JSON
import Testing

/// What requests held is gone from the gateway's memory once their replies have left, whether their connections end or not.
struct RequestMemoryTests {
    /// The thread sanitizer's shadow of what there could be is too large to be searched.
    private static let isThreadSanitized = dlsym(nil, "__tsan_init") != nil

    /// How a request of HTTP/1.1 arrives.
    enum Way: CaseIterable {
        case keptAlive, closed, chunked, inTwoSegments
    }

    @Test(.disabled(if: isThreadSanitized, "the thread sanitizer's own memory is too large to be searched"))
    func `after their replies nothing of requests over HTTP 1 is in the gateway's memory`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        let asker = RequestAsker(gateway.credentials) { Link(plain: try HTTPConnection(port: gateway.port)) }
        for way in Way.allCases { try asker.askAll(way) }
        let found = try asker.findings(in: gateway.process)
        #expect(found.isEmpty, "\(found)")
    }

    @Test(.disabled(if: isThreadSanitized, "the thread sanitizer's own memory is too large to be searched"))
    func `after their replies nothing of requests over TLS is in the gateway's memory`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let files = try TLSFiles("server", in: folder)
        let gateway = try TLSGateway(in: folder, files.options, trust: files.certificatePath)
        defer { gateway.kill() }
        let credentials = RunningGateway.Credentials(
            password: try folder.text("data/sandbox/password").filter { !$0.isNewline })
        let context = try TLSGateway.client(files.certificate)
        let asker = RequestAsker(credentials) {
            Link(encrypted: try HTTPSConnection(port: gateway.port, context))
        }
        for way in [Way.keptAlive, .inTwoSegments] { try asker.askAll(way) }
        let found = try asker.findings(in: gateway.process)
        #expect(found.isEmpty, "\(found)")
    }

    @Test(.disabled(if: isThreadSanitized, "the thread sanitizer's own memory is too large to be searched"))
    func `after their replies nothing of requests over HTTP 2 is in the gateway's memory`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        let connection = try StreamConnection(port: gateway.port)
        let right = Base64Text.basic(gateway.credentials.password)
        var patterns: [SecretScanner.Pattern] = []
        let kinds = [("card", 201), ("device payment", 201), ("refused", 401)]
        for (number, (name, status)) in (0..<4).flatMap({ _ in kinds }).enumerated() {
            let secrets = RequestSecrets("HTTP/2 \(name)", number: 900 + number)
            patterns += secrets.patterns
            let basic = Base64Text.basic(secrets.password)
            let reply = try connection.ask(
                .put, TransactionPath(order: "two-\(number)").text,
                status == 401 ? basic : right, name == "card" ? secrets.card() : secrets.devicePayment())
            #expect(reply == status, "\(name)")
        }
        let scanner = SecretScanner(patterns: patterns)
        let found = try ProcessMemory(of: gateway.process).settledFindings(scanner)
        #expect(found.isEmpty, "\(found)")
    }
}

/// Sends requests of every kind, on connections that it keeps.
private final class RequestAsker {
    private let credentials: RunningGateway.Credentials
    private let connect: () throws -> Link
    private var links: [Link] = []
    private var patterns: [SecretScanner.Pattern] = []
    private var count = 0

    init(_ credentials: RunningGateway.Credentials, connect: @escaping () throws -> Link) {
        self.credentials = credentials
        self.connect = connect
    }

    func askAll(_ way: RequestMemoryTests.Way) throws {
        let session = try ask("new session", .keptAlive, "POST", "/api/rest/version/100/merchant/TESTMERCHANT/session")
        {
            _ in Array("{}".utf8)
        }
        let id = try #require(session["session.id"])
        func path(_ name: String) -> String { TransactionPath(order: "\(name)-\(count)").text }
        let radial = "/v1.0/stores/TESTMERCHANT/payments/creditcard/auth/VC.xml"
        let apiKey = "apikey: \(credentials.password)\r\nContent-Type: text/xml\r\n"

        #expect(try ask("card", way, "PUT", path("card")) { $0.card() }.status == 201)
        #expect(try ask("device payment", way, "PUT", path("device")) { $0.devicePayment() }.status == 201)
        #expect(
            try ask("session", way, "PUT", "/api/rest/version/100/merchant/TESTMERCHANT/session/\(id)") {
                $0.card(operation: "UPDATE_PAYER_DATA")
            }.status == 200)
        #expect(
            try ask("refused for its password", way, "PUT", path("password"), fields: { $0.basic }) { $0.card() }.status
                == 401)
        #expect(
            try ask("refused for its field", way, "PUT", path("field")) { $0.card(operation: "NONE") }.status == 400)
        #expect(try ask("refused for its JSON", way, "PUT", path("json")) { $0.card() + [0x2C] }.status == 400)
        #expect(try ask("refused for its path", way, "PUT", "/nowhere") { $0.card() }.status == 404)
        #expect(try ask("Radial", way, "POST", radial, fields: { _ in apiKey }) { $0.radial() }.status == 200)
        #expect(
            try ask("Radial, refused", way, "POST", radial, fields: { "apikey: \($0.password)\r\n" }) { $0.radial() }
                .status == 401)
        #expect(try askMalformed("refused by HTTP") == 400)
    }

    private func secrets(_ name: String) -> RequestSecrets {
        count += 1
        let secrets = RequestSecrets(name, number: count)
        patterns += secrets.patterns
        return secrets
    }

    private func ask(
        _ name: String, _ way: RequestMemoryTests.Way, _ method: String, _ path: String,
        fields: ((RequestSecrets) -> String)? = nil, _ content: (RequestSecrets) -> [UInt8]
    ) throws -> HTTPReply {
        let secrets = secrets("\(name), \(way)")
        let content = content(secrets)
        let link = try connect()
        links.append(link)
        var head = "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\n" + (fields?(secrets) ?? credentials.field)
        switch way {
        case .keptAlive, .closed:
            if way == .closed { head += "Connection: close\r\n" }
            try link.send(Array("\(head)Content-Length: \(content.count)\r\n\r\n".utf8) + content)
        case .chunked:
            head += "Transfer-Encoding: chunked\r\n\r\n"
            let chunks = [content[..<(content.count / 2)], content[(content.count / 2)...]].flatMap {
                Array("\(String($0.count, radix: 16))\r\n".utf8) + $0 + Array("\r\n".utf8)
            }
            try link.send(Array(head.utf8) + chunks + Array("0\r\n\r\n".utf8))
        case .inTwoSegments:
            // The answer to the first tells that it has arrived before the second is sent.
            try link.send(Array("\(head)Expect: 100-continue\r\nContent-Length: \(content.count)\r\n\r\n".utf8))
            #expect(try link.receiveResponse().status == 100)
            try link.send(content)
        }
        return try link.receiveResponse()
    }

    /// A request whose content HTTP refuses behind the card.
    private func askMalformed(_ name: String) throws -> Int {
        let secrets = secrets(name)
        let link = try connect()
        links.append(link)
        let content = secrets.card()
        try link.send(
            Array("PUT /x HTTP/1.1\r\nHost: localhost\r\n\(secrets.basic)Transfer-Encoding: chunked\r\n\r\n".utf8)
                + Array("\(String(content.count, radix: 16))\r\n".utf8) + content + Array("x\r\n".utf8))
        return try link.receiveResponse().status
    }

    /// What is found of all that was sent.
    func findings(in process: ChildProcess) throws -> [String] {
        try withExtendedLifetime(links) {
            try ProcessMemory(of: process).settledFindings(SecretScanner(patterns: patterns))
        }
    }
}

extension RequestSecrets {
    /// The header field with the wrong password.
    fileprivate var basic: String { "Authorization: \(Base64Text.basic(password))\r\n" }
}

/// A connection, encrypted or not.
private struct Link {
    let send: ([UInt8]) throws -> Void
    let receiveResponse: () throws -> HTTPReply

    init(plain connection: HTTPConnection) {
        send = { try connection.send($0) }
        receiveResponse = { try connection.receiveResponse() }
    }

    init(encrypted connection: HTTPSConnection) {
        send = { try connection.send(String(decoding: $0, as: UTF8.self)) }
        receiveResponse = { try connection.receiveResponse() }
    }
}
