import JSON
import Testing

/// Content that is not strict JSON (RFC 8259): the gateway's 400, whatever the password, and nothing is kept.
struct RefusedContentTests {
    /// Contents, each with a word of the explanation that must be given.
    static let contents: [(content: [UInt8], explanation: String)] =
        texts.map { (Array($0.0.utf8), $0.1) } + [
            (Array(#"{"apiOperation":""#.utf8) + [0xFF] + Array(#""}"#.utf8), "Invalid UTF-8"),
            (Array(#"{"apiOperation":""#.utf8) + [0xC0, 0xAF] + Array(#""}"#.utf8), "Invalid UTF-8"),
            (Array(#"{"apiOperation":""#.utf8) + [0xED, 0xA0, 0x80] + Array(#""}"#.utf8), "Invalid UTF-8"),
            (Array(#"{"apiOperation":""#.utf8) + [0xF4, 0x90, 0x80, 0x80] + Array(#""}"#.utf8), "Invalid UTF-8"),
            (Array(#"{"apiOperation":""#.utf8) + [0xE2, 0x82], "Invalid UTF-8"),
            ([0xEF, 0xBB, 0xBF] + Array("{}".utf8), "Json encoded payload error"),
            ([0xFE, 0xFF, 0x00, 0x7B, 0x00, 0x7D], "Json encoded payload error"),
            ([0x00], "Json encoded payload error"),
            ([UInt8](repeating: 0x5B, count: 100_000), "nested too deeply"),
            (Array(String(repeating: #"{"a":"#, count: 100_000).utf8), "nested too deeply"),
            (Array(#"{"order":"#.utf8) + [UInt8](repeating: 0x5B, count: 500_000), "nested too deeply"),
        ]

    private static let texts = [
        ("", "Unexpected end"),
        ("   ", "Unexpected end"),
        ("garbage", "Unexpected character 'g'"),
        ("<?xml version=\"1.0\"?>", "Unexpected character '<'"),
        ("apiOperation=AUTHORIZE", "Unexpected character 'a'"),
        (#"{"apiOperation":"AUTHORIZE",}"#, "Unexpected character '}'"),
        (#"{"order":{"amount":"1.00",},"apiOperation":"PAY"}"#, "Unexpected character '}'"),
        ("[1,]", "Unexpected character ']'"),
        (#"{"apiOperation":"AUTHORIZE","apiOperation":"PAY"}"#, "Repeated name 'apiOperation'"),
        (#"{"apiOperation":"PAY","apiOper\u0061tion":"PAY"}"#, "Repeated name 'apiOperation'"),
        (#"{"order":{"amount":"1.00","amount":"9.00"}}"#, "Repeated name 'order.amount'"),
        (#"{"apiOperation":"AUTHORIZE"} {}"#, "Unexpected text after the end"),
        (#"{"apiOperation":"AUTHORIZE""#, "Unexpected end"),
        (#"{"apiOperation":"AUTHORIZE"#, "Unexpected end"),
        (#"{'apiOperation':'AUTHORIZE'}"#, "Unexpected character '''"),
        (#"{apiOperation:"AUTHORIZE"}"#, "Unexpected character 'a'"),
        (#"{"a":01}"#, "Invalid number"),
        (#"{"a":1.}"#, "Invalid number"),
        (#"{"a":+1}"#, "Unexpected character '+'"),
        (#"{"a":NaN}"#, "Unexpected character 'N'"),
        (#"{"a":"\x"}"#, "Invalid escape sequence"),
        (#"{"a":"\ud800"}"#, "Invalid escape sequence"),
        ("{\"a\":\"\n\"}", "Unescaped control character"),
        (#"{"a":1/**/}"#, "Unexpected character '/'"),
        ("[]", "Expected an object"),
        ("null", "Expected an object"),
        (#""text""#, "Expected an object"),
        ("12", "Expected an object"),
    ]

    @Test func `content that is not strict JSON is refused with the gateway's 400`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }

        for (content, explanation) in Self.contents {
            let reply = try gateway.put(TransactionPath(), content)
            let comment = Comment(rawValue: String(decoding: content.prefix(60), as: UTF8.self) + " → " + reply.text)
            #expect(reply.status == 400, comment)
            #expect(reply.field("content-type")?.hasPrefix("application/json") == true, comment)
            #expect(reply["result"] == "ERROR", comment)
            #expect(reply["error.cause"] == "INVALID_REQUEST", comment)
            #expect(reply["error.explanation"]?.contains(explanation) == true, comment)
        }
        #expect(try gateway.get(TransactionPath())["error.explanation"]?.hasPrefix("Unable to find order") == true)
    }

    @Test func `JSON is judged before the password, and the password before the fields`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        let wrong = RunningGateway.Credentials(password: "wrong")

        let path = TransactionPath().text
        #expect(try gateway.send("PUT", "/api/rest/version/101/x", Array("{,}".utf8), as: wrong).status == 404)
        #expect(try gateway.send("PUT", path, Array("{,}".utf8), as: wrong).status == 400)
        let refused = try gateway.send("PUT", path, Array(#"{"nonsense":1}"#.utf8), as: wrong)
        #expect(refused.status == 401)
        #expect(
            refused.text
                == #"{"error":{"cause":"INVALID_REQUEST","explanation":"Invalid credentials."},"result":"ERROR"}"#)
        #expect(try gateway.put(TransactionPath(), Array(#"{"nonsense":1}"#.utf8)).status == 400)
    }

    @Test func `a token that is a JSON object, not a string, is refused by its field`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        let token = try JSONValue(parsing: try folder.mint())

        let reply = try gateway.put(
            TransactionPath(),
            PaymentRequest.body(amount: "5656.00", card: ["devicePayment": ["paymentToken": token]]))
        #expect(reply.status == 400)
        #expect(reply["error.field"] == "sourceOfFunds.provided.card.devicePayment.paymentToken")
        #expect(reply["error.validationType"] == "INVALID")
    }
}
