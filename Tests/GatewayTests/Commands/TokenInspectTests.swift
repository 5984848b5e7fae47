import JSON
import Testing
import Values

/// `tollgate token inspect` on minted tokens.
struct TokenInspectTests {
    /// A change to a token, and the steps that must fail for it.
    struct Alteration: CustomStringConvertible, Sendable {
        let description: String
        let failed: [String]
        let alter: @Sendable (inout JSONObject) throws -> Void
    }

    static let alterations = [
        Alteration(description: "none", failed: []) { _ in },
        Alteration(description: "transactionId in upper case", failed: []) {
            try $0.alterHeader("transactionId") { $0.uppercased() }
        },
        Alteration(description: "version RSA_v1", failed: ["parse"]) { $0["version"] = "RSA_v1" },
        Alteration(description: "version EC_v2", failed: ["parse"]) { $0["version"] = "EC_v2" },
        Alteration(description: "no version", failed: ["parse"]) { $0["version"] = nil },
        Alteration(description: "no data", failed: ["parse"]) { $0["data"] = nil },
        Alteration(description: "no signature", failed: ["parse"]) { $0["signature"] = nil },
        Alteration(description: "no header", failed: ["parse"]) { $0["header"] = nil },
        Alteration(description: "data that is not base64", failed: ["parse"]) { $0["data"] = "%%%%" },
        Alteration(description: "data's first byte", failed: ["signature"]) { try $0.flip("data") { _ in 0 } },
        Alteration(description: "data's last byte", failed: ["signature"]) { try $0.flip("data") { $0 - 1 } },
        // Six end-of-contents octets follow the signature value.
        Alteration(description: "the signature value", failed: ["signature"]) { try $0.flip("signature") { $0 - 7 } },
        Alteration(description: "the signature cut", failed: ["parse"]) {
            try $0.alter("signature") { Base64.encoded(try decoded($0).dropLast(100)) }
        },
        Alteration(description: "ephemeralPublicKey's point", failed: ["signature"]) {
            try $0.alterHeader("ephemeralPublicKey") { try flipped($0) { $0 - 1 } }
        },
        Alteration(description: "ephemeralPublicKey's algorithm", failed: ["parse"]) {
            try $0.alterHeader("ephemeralPublicKey") { try flipped($0) { _ in 10 } }
        },
        Alteration(description: "publicKeyHash", failed: ["publicKeyHash"]) {
            try $0.alterHeader("publicKeyHash") { try flipped($0) { _ in 0 } }
        },
        Alteration(description: "transactionId", failed: ["signature"]) {
            try $0.alterHeader("transactionId") { ($0.hasPrefix("0") ? "1" : "0") + $0.dropFirst() }
        },
        Alteration(description: "applicationData", failed: ["signature"]) {
            try $0.alterHeader("applicationData") { ($0.hasPrefix("0") ? "1" : "0") + $0.dropFirst() }
        },
        Alteration(description: "no applicationData", failed: ["signature"]) {
            try $0.alterHeader("applicationData") { _ in nil }
        },
    ]

    @Test func `a token with a member altered is refused with the step that failed`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let minted = try JSONValue(parsing: try folder.mint("5656.00", "--application-data", "order 1"))
        guard case .object(let members) = minted else {
            Issue.record("no object was minted")
            return
        }

        for alteration in Self.alterations {
            var altered = members
            try alteration.alter(&altered)
            let token = try folder.inspect(JSONValue.object(altered).serialized())
            let comment = Comment(rawValue: "\(alteration): \(token.steps)")
            #expect(token.steps(that: "failed") == alteration.failed, comment)
            #expect(token.status == (alteration.failed.isEmpty ? 0 : 1), comment)
            #expect(token["verdict"] == (alteration.failed.isEmpty ? "accepted" : "rejected"), comment)
            // Nothing is decrypted that is not signed by whom it should be.
            #expect((token.json["paymentData"] == nil) == !alteration.failed.isEmpty, comment)
            #expect(token.steps.allSatisfy { !$0.detail.isEmpty }, comment)
        }
    }

    @Test func `a token is compared with the order that is given`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let token = Array(try folder.mint("5656.00", "--application-data", "order 1").utf8)

        let right = try folder.inspect(
            token, "--amount", "5656", "--currency", "USD", "--application-data", "order 1")
        #expect(right.status == 0)
        #expect(right.steps(that: "skipped") == ["replay"])
        for wrong in [
            ["--amount", "5656.01", "--currency", "USD"], ["--amount", "5656.00", "--currency", "EUR"],
            ["--application-data", "order 2"],
        ] {
            let refused = try InspectedToken(
                folder.run(["token", "inspect", "-", "--json"] + folder.sandboxKey + wrong, input: token))
            #expect(refused.status == 1)
            #expect(refused.steps(that: "failed") == ["transactionDetails"], "\(wrong)")
        }
    }

    @Test func `a token is judged by the root, the key and the time that are given`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let token = Array(try folder.mint("1.00", "--at", "2020-01-01T12:00:00Z").utf8)
        let other = try TestFolder()
        defer { other.remove() }
        _ = try other.mint()
        func failed(_ arguments: [String]) throws -> [String] {
            try InspectedToken(folder.run(["token", "inspect", "-", "--json"] + arguments, input: token))
                .steps(that: "failed")
        }

        let key = Array(folder.sandboxKey.dropFirst(2))
        let root = Array(folder.sandboxKey.prefix(2))
        #expect(try failed(root + key + ["--at", "signing"]) == [])
        #expect(try failed(root + key + ["--at", "2020-01-01T12:05:00Z"]) == [])
        #expect(try failed(root + key + ["--at", "2020-01-01T11:55:00Z"]) == [])
        #expect(try failed(root + key + ["--at", "2020-01-01T12:05:01Z"]) == ["signingTime"])
        #expect(try failed(root + key + ["--at", "2020-01-01T11:54:59Z"]) == ["signingTime"])
        #expect(try failed(root + key) == ["signingTime"])
        #expect(try failed(key + ["--at", "signing"]) == ["chain"])
        #expect(try failed(Array(other.sandboxKey.prefix(2)) + key + ["--at", "signing"]) == ["chain"])
        #expect(try failed(root + other.sandboxKey.dropFirst(2) + ["--at", "signing"]) == ["publicKeyHash"])
    }

    @Test func `with a data directory a token is judged by the clock of its gateway`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder, "--clock", "2031-05-05T05:05:05Z")
        gateway.kill()
        let token = Array(try folder.mint().utf8)
        func failed(_ arguments: [String]) throws -> [String] {
            try InspectedToken(folder.run(["token", "inspect", "-", "--json"] + arguments, input: token))
                .steps(that: "failed")
        }

        #expect(try failed(["--data", folder.data]) == [])
        #expect(try failed(["--data", folder.data, "--at", "2026-01-01T00:00:00Z"]) == ["signingTime"])
        #expect(try failed(folder.sandboxKey + ["--at", "2026-01-01T00:00:00Z"]) == ["signingTime"])

        try folder.write("data/clock", Array("soon".utf8))
        let refused = try folder.run(["token", "inspect", "-", "--data", folder.data], input: token)
        #expect(refused.status != 0)
        #expect(refused.output.isEmpty)
        #expect(refused.errors.contains("\(folder.data)/clock: not a number of milliseconds"))
        #expect(try failed(["--data", folder.data, "--at", "signing"]) == [])
    }

    @Test func `a token may be paymentData, a whole PKPaymentToken, or a JSON string of either`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let text = try folder.mint()
        let paymentData = try JSONValue(parsing: text)
        let whole: JSONValue = [
            "paymentData": paymentData, "transactionIdentifier": "7f3a",
            "paymentMethod": ["displayName": "Visa 1234", "network": "Visa", "type": "debit"],
        ]
        let forms = [
            Array(text.utf8), Array("\r\n\t \(text)\n".utf8), whole.serialized(), JSONValue.string(text).serialized(),
            JSONValue.string(String(decoding: whole.serialized(), as: UTF8.self)).serialized(),
        ]
        for form in forms {
            let fromInput = try folder.inspect(form)
            #expect(fromInput.status == 0)
            #expect(fromInput["verdict"] == "accepted")
            let file = try folder.write("token.json", form)
            let fromFile = try folder.run(["token", "inspect", file, "--json"] + folder.sandboxKey)
            #expect(fromFile.status == 0)
            #expect(try JSONValue(parsing: fromFile.output) == fromInput.json)
        }
    }

    @Test(arguments: ["", "{}", "[]", "null", "12", "garbage", #"{"paymentData":{}}"#, #""""#, #"{"a":1,"a":2}"#])
    func `what is no token fails to parse, and nothing else is judged`(text: String) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let result = try InspectedToken(folder.run("token", "inspect", "-", "--json", input: Array(text.utf8)))
        #expect(result.status == 1)
        #expect(result.steps(that: "failed") == ["parse"])
        #expect(result.steps(that: "skipped").count == InspectedToken.order.count - 1)
    }

    @Test(arguments: [
        (["/no/such/token"], "/no/such/token"), ([], "<file>"), (["-", "--at", "yesterday"], "yesterday"),
        (["-", "--certificate", "/dev/null"], "--key"), (["-", "--merchant-identifier", "a"], "--key"),
        (["-", "--amount", "1.00"], "--currency"), (["-", "--amount", "1.005", "--currency", "USD"], "1.005"),
        (["-", "--currency", "USD"], "--amount"), (["-", "--root", "/no/such/root"], "/no/such/root"),
        (["-", "--root", "/dev/null"], "/dev/null"), (["-", "--key", "/dev/null"], "/dev/null"),
        (["-", "--key", "/no/such/key"], "/no/such/key"), (["-", "--config", "/no/such/folder"], "/no/such/folder"),
        (["-", "--revaal"], "--revaal"),
    ])
    func `the error for a wrong argument names it`(arguments: [String], name: String) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let result = try folder.run(["token", "inspect"] + arguments, input: Array("{}".utf8))
        #expect(result.status != 0)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains(name))
    }
}

private struct NotAlterable: Error {}

private func decoded(_ text: String) throws -> [UInt8] {
    guard let bytes = Base64.decoded(text) else { throw NotAlterable() }
    return bytes
}

/// Base64 with one bit of one byte changed, which is chosen by how many bytes there are.
private func flipped(_ text: String, at index: (Int) -> Int) throws -> String {
    var bytes = try decoded(text)
    bytes[index(bytes.count)] ^= 1
    return Base64.encoded(bytes)
}

extension JSONObject {
    /// Changes a member's text; nil removes the member.
    fileprivate mutating func alter(_ name: String, _ change: (String) throws -> String?) throws {
        guard case .string(let text) = self[name] else { throw NotAlterable() }
        self[name] = try change(text).map(JSONValue.string)
    }

    fileprivate mutating func flip(_ name: String, at index: (Int) -> Int) throws {
        try alter(name) { try flipped($0, at: index) }
    }

    /// Changes a text of the header.
    fileprivate mutating func alterHeader(_ name: String, _ change: (String) throws -> String?) throws {
        guard case .object(var header) = self["header"] else { throw NotAlterable() }
        try header.alter(name, change)
        self["header"] = .object(header)
    }
}
