import JSON
import Testing

/// Why a 401 is one: `Tollgate-Notice` says so in a pure sandbox, and nothing says so elsewhere.
struct UnauthorizedNoticeTests {
    private static let reasons = [
        "There is no merchant NOBODY, or it is disabled.", "The user must be merchant.TESTMERCHANT, as in the path.",
        "The password differs from the merchant's.",
    ]

    /// Asks as no merchant that there is, as another one than the path's, and with a wrong password.
    private static func refused(_ gateway: RunningGateway, _ merchant: String) throws -> [HTTPReply] {
        let path = TransactionPath(merchant: merchant).text
        let replies = [
            try gateway.send(
                "GET", TransactionPath(merchant: "NOBODY").text, as: .init(merchant: "NOBODY", password: "secret-word")),
            try gateway.send("GET", path, as: .init(merchant: "ANOTHER", password: gateway.credentials.password)),
            try gateway.send("GET", path, as: .init(merchant: merchant, password: "secret-word")),
        ]
        for reply in replies { #expect(reply.status == 401) }
        return replies
    }

    @Test func `in a sandbox the reply, the access log and the journal of requests say why`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let log = folder.path + "/access.log"
        let gateway = try RunningGateway(in: folder, "--access-log", log)
        defer { gateway.kill() }
        let replies = try Self.refused(gateway, "TESTMERCHANT")
        #expect(replies.map { $0.field("tollgate-notice") } == Self.reasons)
        // The content is the real gateway's, which has no reason.
        #expect(Set(replies.map(\.body)).count == 1)

        let expected = Self.reasons.map { JSONValue.array([.string($0)]) }
        let journal = try gateway.send("GET", "/_tollgate/requests", nil, fields: "").json
        guard case .array(let requests)? = journal["requests"] else { throw HTTPConnection.Failure.notHTTP("journal") }
        #expect(requests.map { $0["notices"] } == expected)
        #expect(try gateway.stop() == .exited(0))
        let written = try folder.read("access.log")
        let lines = try written.split(separator: UInt8(ascii: "\n")).map { try JSONValue(parsing: Array($0)) }
        #expect(lines.filter { $0["status"] == 401 }.map { $0["notices"] } == expected)
        #expect(!String(decoding: written, as: UTF8.self).contains("secret-word"))
    }

    @Test func `of merchants of one's own nothing says why`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        try folder.write("config/merchants/SHOP.yaml", Array("passwords: [{environment: SHOP_PASSWORD}]\n".utf8))
        let log = folder.path + "/access.log"
        let gateway = try RunningGateway(
            in: folder, "--config", folder.path + "/config", "--access-log", log,
            environment: ["SHOP_PASSWORD": "shop-word"], credentials: .init(merchant: "SHOP", password: "shop-word"))
        defer { gateway.kill() }
        let replies = try Self.refused(gateway, "SHOP")
        #expect(replies.map { $0.field("tollgate-notice") } == [nil, nil, nil])
        #expect(Set(replies.map(\.body)).count == 1)
        #expect(try gateway.stop() == .exited(0))
        #expect(!(try folder.text("access.log").contains("notices")))
    }
}
