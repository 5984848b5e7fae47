import Access
import HTTP
import HTTPTypes
import TestSupport
import Testing

@testable import OperationsAPI

/// The access log as people read it.
struct AccessLogTextTests {
    private static func text(_ gateway: TestGateway) -> String {
        gateway.log.begin()
        gateway.log.finish(withinMilliseconds: 60_000)
        return gateway.output.text
    }

    @Test func `a line has time, operation, order, outcome, reason and milliseconds`() async throws {
        let gateway = try TestGateway(form: .text(isColoured: false))
        await gateway.send(.payment(order: "order-7"))
        await gateway.send(.payment(order: "order-8", amount: "57.57"))
        await gateway.send(.payment(order: "order-9", password: "wrong"))
        await gateway.send(.to(.get, "/nowhere"))
        let lines = Self.text(gateway).split(separator: "\n")
        #expect(lines.count == 4)
        for (line, pattern) in zip(
            lines,
            [
                #/\d\d:\d\d:\d\d PAY +order-7 +success +APPROVED \d+\.\d ms/#,
                #/\d\d:\d\d:\d\d PAY +order-8 +\w+ +[A-Z_]+ \d+\.\d ms/#,
                #/\d\d:\d\d:\d\d \w+ +order-9 +unauthorized +401 Unauthorized \d+\.\d ms/#,
                #/\d\d:\d\d:\d\d GET +- +refused +404 Not Found \d+\.\d ms/#,
            ])
        { #expect(line.wholeMatch(of: pattern) != nil, "\(line)") }
        #expect(!lines.joined().contains("\u{1B}"))
    }

    @Test func `a refused token is told with its step`() async throws {
        let gateway = try TestGateway(form: .text(isColoured: false))
        let token = try gateway.local.mint(gateway.local.order())
        await gateway.send(.token(String(token.dropLast(9)), amount: "56.56"))
        #expect(Self.text(gateway).contains("400 Bad Request, token refused: "))
    }

    @Test func `only the outcome is coloured`() async throws {
        let gateway = try TestGateway(form: .text(isColoured: true))
        await gateway.send(.payment())
        await gateway.send(.to(.get, "/nowhere"))
        let text = Self.text(gateway)
        #expect(text.matches(of: /\u{1B}\[32msuccess +\u{1B}\[0m/).count == 1)
        #expect(text.matches(of: /\u{1B}\[33mrefused +\u{1B}\[0m/).count == 1)
        #expect(text.unicodeScalars.count { $0 == "\u{1B}" } == 4)
    }

    @Test(arguments: [
        "%1B%5B2J", "%C2%9B2J", "%0A00:00:00", "%E2%80%AEx", "%E2%81%A6x", "%D8%9Cx", "%E2%80%8Fx", "%EF%BB%BFx", "%7F",
        "%F3%A0%81%81",
    ])
    func `an order id can't command a terminal`(order: String) async throws {
        let gateway = try TestGateway(form: .text(isColoured: false))
        await gateway.send(.to(.get, Request.base + "merchant/M/order/\(order)", password: nil))
        let text = Self.text(gateway)
        // A path with C0 or DEL in it names no order.
        #expect(text.contains("\\u{") || text.contains(" -  "))
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count == 2)
        #expect(text.unicodeScalars.allSatisfy { (0x20...0x7E).contains($0.value) || $0 == "\n" }, "\(text)")
    }

    @Test func `an account number in place of an order is masked`() async throws {
        let gateway = try TestGateway(form: .text(isColoured: false))
        await gateway.send(.to(.get, Request.merchant + "order/4508750015741019"))
        #expect(!Self.text(gateway).contains("4508750015741019"))
        #expect(Self.text(gateway).contains("1019"))
    }
}
