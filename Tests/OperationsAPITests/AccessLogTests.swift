import Access
import HTTP
import HTTPTypes
import JSON
import MerchantAPI
import Synchronization
import TestSupport
import Testing

@testable import OperationsAPI

struct AccessLogTests {
    @Test func `a line tells what a request was, and no more`() async throws {
        let gateway = try TestGateway()
        let response = await gateway.send(.payment("1-a", order: "order-7"))
        let line = try #require(try gateway.lines().first)
        guard case .object(let members) = line else {
            Issue.record("no object")
            return
        }
        #expect(
            members.map(\.name).sorted() == [
                "apiOperation", "bytes", "gatewayCode", "id", "merchant", "method", "microseconds", "order", "outcome",
                "peer", "protocol", "result", "route", "stages", "status", "time", "transaction",
            ])
        for (name, value) in [
            ("apiOperation", "PAY"), ("gatewayCode", "APPROVED"), ("merchant", "TESTMERCHANT"), ("method", "PUT"),
            ("order", "order-7"), ("outcome", "success"), ("peer", "192.0.2.7"), ("protocol", "HTTP/1.1"),
            ("result", "SUCCESS"), ("route", RouteTemplate.transaction.text), ("transaction", "1-a"),
            ("id", response?.head.headerFields[.requestIdentifier]),
        ] {
            #expect(line[name] == value.map(JSONValue.string), "\(name)")
        }
        #expect(line["status"] == 201)
        #expect(line["bytes"] == .number(JSONNumber(response?.body.count ?? 0)))
        guard case .string(let time)? = line["time"] else {
            Issue.record("no time")
            return
        }
        #expect(time.hasPrefix("2021-09-01T19:03:09.9"))
        guard case .object(let stages)? = line["stages"] else {
            Issue.record("no stages")
            return
        }
        #expect(
            stages.map(\.name).sorted() == ["authenticate", "commit", "decide", "decode", "open", "recall", "reply"])
    }

    @Test func `HTTP/2, TLS and HEAD are logged`() async throws {
        let gateway = try TestGateway()
        let path = Request.base + "information"
        await gateway.send(.to(.head, path, password: nil, scheme: "https", version: .http2))
        await gateway.send(.to(.get, path, password: nil, version: .http10))
        let lines = try gateway.lines()
        #expect(lines.map { $0["protocol"] } == ["HTTP/2", "HTTP/1.0"])
        #expect(lines.map { $0["tls"] } == [true, nil])
        #expect(lines.map { $0["method"] } == ["HEAD", "GET"])
        #expect(lines.map { $0["bytes"] == 0 } == [true, false])
    }

    private static let number = "4508750015741019"
    private static let session = "SESSION0002776555072F1187121H61"

    @Test(arguments: [
        number, "4508%37500157410%31%39", "4508-7500-1574-1019", "4508%207500%201574%201019", session,
        String(repeating: "a", count: 60) + number, String(repeating: "%61", count: 60) + number,
    ])
    func `what a peer puts where an identifier belongs is masked`(text: String) async throws {
        let gateway = try TestGateway()
        for path in [
            "order/\(text)", "order/1/transaction/\(text)", "session/\(text)", "token/\(text)", "3DSecureId/\(text)",
            "\(text)/\(text)",
        ] {
            await gateway.send(.to(.get, Request.merchant + path + "?number=\(text)"))
            await gateway.send(.to(.get, Request.base + "merchant/\(text)/" + path, password: text))
            await gateway.send(.to(.put, Request.merchant + path, #"{"apiOperation":"\#(text)","x":"\#(text)"}"#))
        }
        await gateway.send(.to(.get, "/" + text))
        await gateway.send(.to(.get, "/_tollgate/" + text))
        if let method = HTTPRequest.Method(Self.number) { await gateway.send(.to(method, "/")) }
        #expect(try gateway.lines().count == 21)
        let log = gateway.output.text
        for secret in [text, Self.number, Self.session, "4508 7500 1574 1019", "7415741", "001574"] {
            #expect(!log.contains(secret), "\(secret)")
        }
        #expect(!log.contains("password") && !log.contains("Basic") && !log.contains("?"))
    }

    @Test func `what the reply's notices say is told`() async throws {
        let gateway = try TestGateway(explainsUnauthorized: true)
        await gateway.send(.payment(password: "wrong"))
        await gateway.send(.payment())
        let lines = try gateway.lines()
        #expect(lines.map { $0["status"] } == [401, 201])
        #expect(lines.map { $0["notices"] } == [["The password differs from the merchant's."], nil])
    }

    @Test func `nothing of a payment's content is told`() async throws {
        let gateway = try TestGateway()
        let token = try gateway.local.mint(gateway.local.order())
        await gateway.send(.payment(number: Self.number))
        await gateway.send(.payment("2", number: "4508750015741018"))
        await gateway.send(.token(token, amount: "56.56", order: "o"))
        await gateway.send(.token(String(token.dropLast(9)), amount: "56.56", order: "p"))
        #expect(try gateway.lines().count == 4)
        for secret in [Self.number, "4508750015741018", "Ada", "5123450000000008", "56.56", "EC_v1"] {
            #expect(!gateway.output.text.contains(secret), "\(secret)")
        }
        // The search is in earnest: what may be told is found.
        #expect(gateway.output.text.contains("TESTMERCHANT"))
    }

    @Test func `a line is one line, and a terminal's commands are none`() async throws {
        let gateway = try TestGateway()
        await gateway.send(.to(.get, Request.base + "merchant/%22%7D/order/%C2%9B2J%E2%80%AEx", password: nil))
        await gateway.send(.to(.get, Request.base + "merchant/M/order/%0A%1B%5B2J%7F", password: nil))
        let lines = try gateway.lines()
        #expect(lines.count == 2)
        #expect(lines.first?["merchant"] == "\"}")
        #expect(lines.first?["order"] == "\u{FFFD}2J\u{FFFD}x")
        let text = gateway.output.text.split(separator: "\n").joined()
        #expect(!text.unicodeScalars.contains { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) })
    }

    @Test func `a long name is cut`() async throws {
        let gateway = try TestGateway()
        let name = String(repeating: "ä", count: 3000)
        await gateway.send(
            .to(.get, Request.base + "merchant/\(name)/order/\(name)/transaction/\(name)", password: nil))
        let lines = try gateway.lines()
        #expect(lines.first?["order"] == .string(name.prefix(64) + "…"))
        #expect(gateway.output.text.utf8.count < 4096)
    }

    @Test func `what doesn't fit while nobody takes lines is dropped and counted, and no request waits`() async throws {
        let gateway = try TestGateway()
        let request = Request.to(.get, Request.base + "information", password: nil)
        // The log has not begun, so nothing is written.
        for _ in 0..<AccessLog.linesMax + 3 { #expect(await gateway.send(request) != nil) }
        #expect(gateway.log.droppedCount == 3)
        #expect(gateway.output.text.isEmpty)
        #expect(try gateway.counted()["tollgate_access_log_lines_dropped_total", [:]] == "3")
        #expect(try gateway.lines().count == AccessLog.linesMax)
        await gateway.send(request)
        #expect(try gateway.lines().count == AccessLog.linesMax + 1)
        #expect(gateway.log.droppedCount == 3)
    }

    @Test func `lines that could not be written are counted`() async throws {
        let log = AccessLog(monotonic: { 0 }, machine: { LocalMerchant.instant }, write: { _ in 2 })
        let handler = ObservedHandler(RequestMetrics(MerchantAPI.operations), log: log, monotonic: { 0 })
        for _ in 0..<5 { _ = handler.answer(.to(.get, "/")) { _, _ in .now(Response(status: .ok)) } }
        log.begin()
        log.finish(withinMilliseconds: 60_000)
        #expect(log.droppedCount == 2)
    }

    @Test func `each request has an identifier of its own`() {
        let identifiers = RequestIdentifiers(startingAt: .max - 500)
        let given = Set((0..<1000).map { _ in identifiers.next() })
        #expect(given.count == 1000)
        #expect(given.allSatisfy { $0.wholeMatch(of: /[0-9a-v]{13}/) != nil })
    }
}
