import HTTP
import HTTPTypes
import JSON
import TestSupport
import Testing

/// Contents that nobody wrote, for every way to control a sandbox. Each is answered, and never by a failure.
struct RandomBodyTests {
    private static let paths = [
        "amount", "applicationData", "at", "count", "cryptogram", "currency", "defect", "eci", "emvData", "expiry",
        "gatewayCode", "instant", "lastFour", "latencyMilliseconds", "merchant", "merchantToken", "name",
        "offsetSeconds",
        "operation", "order",
        "pan", "pinData", "reply", "request", "seed", "subMerchants", "subMerchants.amount", "token", "token.header",
        "type", "version", "x",
    ]

    @Test(
        .timeLimit(.minutes(30)),
        arguments: [
            ("tokens", "POST", ["amount": "56.56", "currency": "USD", "request": "PAY"]),
            ("tokens", "POST", ["amount": 5656, "currency": "JPY", "type": "EMV", "version": "EC_v1"]),
            ("clock", "PUT", ["offsetSeconds": 10]), ("clock", "PUT", ["instant": "2021-09-01T19:03:10Z"]),
            ("seed", "PUT", ["seed": 1]), ("outcomes", "POST", ["gatewayCode": "DECLINED", "order": "order-1"]),
            ("reset", "POST", [:]), ("reset", "POST", ["merchant": "TESTMERCHANT"]),
            ("inspect", "POST", ["token": ["version": "EC_v1"], "merchant": "TESTMERCHANT"]),
            (
                "outcomes", "POST",
                ["gatewayCode": "DECLINED", "amount": "58.57", "operation": "VOID", "lastFour": "0008"]
            ),
        ] as [(String, String, JSONValue)], [1, 2] as [UInt64])
    func `a content that nobody wrote is carried out or refused`(
        request: (path: String, method: String, content: JSONValue), seed: UInt64
    ) async throws {
        let control = try TestControl()
        var random = RandomJSON(seed: seed, paths: Self.paths)
        let method = try #require(HTTPRequest.Method(request.method))
        for count in 0..<150 {
            let bytes =
                count % 3 == 0
                ? random.altered(request.content.serialized()) : random.altered(request.content).serialized()
            var sent = Request.to(method, "/_tollgate/" + request.path)
            sent.body = bytes
            let text = "\(request.path) \(seed) \(count): \(String(decoding: bytes, as: UTF8.self))"
            let response = try #require(await control.send(sent), "\(text)")
            #expect([200, 201, 400, 409].contains(response.status), "\(text)")
            #expect((response["error"] != nil) == (response.status >= 400), "\(text)")
        }
    }
}
