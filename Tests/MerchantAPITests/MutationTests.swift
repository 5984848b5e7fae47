import HTTP
import HTTPTypes
import JSON
import TestSupport
import Testing
import Values

/// Requests that nobody wrote. Each is answered, and only as the API's description allows.
struct MutationTests {
    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `altered bytes are created or refused`(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let api = try TestAPI()
        let original = Array(Example.text.utf8)
        for count in 0..<400 {
            var bytes = original
            for _ in 0...Int.random(in: 0..<4, using: &generator) {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: index)
                case 2: bytes.insert(Self.marks.randomElement(using: &generator) ?? 0, at: index)
                default: bytes.removeSubrange(index..<min(bytes.count, index + 20))
                }
            }
            let response = await api.send(.put, "\(TestAPI.path)\(seed)-\(count)", bytes: bytes)
            try Self.check(response, String(decoding: bytes, as: UTF8.self))
        }
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `altered values are created or refused`(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<150 {
            // Several fields may be wrong at once, and a request that is accepted is accepted again.
            var request = try Example.changed()
            for _ in 0...Int.random(in: 0..<3, using: &generator) {
                let path = try #require(Self.paths.randomElement(using: &generator))
                let value = try #require(Self.values.randomElement(using: &generator))
                request.set(path.split(separator: ".").map(String.init)[...], value)
            }
            let text = String(decoding: request.serialized(), as: UTF8.self)
            let api = try TestAPI()
            let response = await api.put(request)
            try Self.check(response, text)
            if response.status == 201 {
                let again = await api.put(request)
                #expect(again == response, "\(text)")
                let retrieved = await api.send(.get)
                #expect(retrieved.body == response.body, "\(text)")
            }
        }
    }

    private static func check(_ response: Response, _ request: String) throws {
        #expect(response.status == 201 || response.status == 400, "\(request)")
        let value = try #require(response.value, "\(request)")
        #expect(value.serialized() == response.body, "\(request)")
        #expect((response.string("result") == "ERROR") == (response.status == 400), "\(request)")
        #expect((response.string("error.explanation")?.unicodeScalars.count ?? 0) <= 1000)
        #expect((response.string("error.field")?.unicodeScalars.count ?? 0) <= 100)
    }

    private static let marks = Array(#"{}[]",:\0919.eE+-nulltrue/ "#.utf8) + [0x00, 0x7F, 0x80, 0xC3, 0xE2, 0xF0]

    private static let card = "sourceOfFunds.provided.card"
    private static let paths = [
        "apiOperation", "order", "order.amount", "order.currency", "order.walletProvider", "order.reference",
        "order.description", "sourceOfFunds", "sourceOfFunds.type", "sourceOfFunds.provided", card, card + ".number",
        card + ".expiry", card + ".expiry.month", card + ".expiry.year", card + ".securityCode", card + ".nameOnCard",
        card + ".devicePayment", card + ".devicePayment.paymentToken", card + ".devicePayment.cryptogramFormat",
        card + ".devicePayment.onlinePaymentCryptogram", card + ".devicePayment.eciIndicator", "device.ani",
        "transaction", "transaction.source", "transaction.reference", "customer.email", "correlationId", "x",
        "order.x.y",
    ]

    private static let values: [JSONValue?] = [
        .none, .some(.null), true, false, 0, 1, -1, .decimal("1e400"), .decimal("0.000"), .decimal("12.5"), "", " ",
        "0", "00",
        "1", "01", "12", "100", "5656", "5656.00", "0.01", "999999999999", "1000000000000", "1000000000000.00", "EUR",
        "JPY", "KWD", "PAY", "AUTHORIZE", "APPLE_PAY", "GOOGLE_PAY", "INTERNET", "5123450000000008", "a@b", "\u{0}",
        "\u{7F}", "é", "e\u{301}", "👍🏽", "\"\\/", .string(String(repeating: "9", count: 500)),
        .string(String(repeating: "👍", count: 41)), [], [[]], [:], ["a": .null], ["": ""], ["x": ["y": ["z": 1]]],
    ]
}
