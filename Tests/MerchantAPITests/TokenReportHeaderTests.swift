import HTTP
import HTTPTypes
import JSON
import Payments
import TestSupport
import Testing
import Values

/// `Tollgate-Report`, by which a merchant finds the report of a refused token.
struct TokenReportHeaderTests {
    private static let name = HTTPField.Name("Tollgate-Report")

    private static func id(in response: Response) throws -> String? {
        response.head.headerFields[try #require(name)]
    }

    @Test func `the reply to a refused token names its report`() async throws {
        let merchant = try LocalMerchant()
        let api = try TestAPI(applePay: merchant.opener, at: LocalMerchant.instant)
        let token = JSONValue.string(try merchant.mint(try merchant.order()))
        let response = await api.put(try Example.token(token, ["order.amount": "56.57"]))
        #expect(response.status == 400)
        let id = try #require(try Self.id(in: response))
        #expect(id.utf8.count == 32)

        let report = try #require(api.reports.report(id: id))
        let value = try JSONValue(parsing: report)
        #expect(value["verdict"] == "rejected")
        #expect(value["paymentData"]?["applicationPrimaryAccountNumber"] == "512345xxxxxx0008")
        // Each refusal has a report of its own.
        let again = await api.put(try Example.token(token, ["order.amount": "56.57"]))
        #expect(try Self.id(in: again) != id)
    }

    @Test func `the report of a token that was used before passes every step but the last`() async throws {
        let merchant = try LocalMerchant()
        let api = try TestAPI(applePay: merchant.opener, at: LocalMerchant.instant)
        let token = JSONValue.string(try merchant.mint(try merchant.order()))
        let request = try Example.token(token, ["order.amount": "56.56"])
        #expect(await api.put(request).status == 201)
        let replayed = await api.put(request, TestAPI.path.replacing("844205983", with: "other"))
        #expect(replayed.status == 400)
        let id = try #require(try Self.id(in: replayed))
        let report = try #require(api.reports.report(id: id))
        let value = try JSONValue(parsing: report)
        #expect(value["verdict"] == "rejected")
        guard case .array(let steps) = value["steps"], let last = steps.last else {
            Issue.record("a report has steps")
            return
        }
        #expect(last["step"] == "replay" && last["outcome"] == "failed")
        #expect(steps.dropLast().allSatisfy { $0["outcome"] == "passed" })
    }

    @Test func `no other reply has the field`() async throws {
        let merchant = try LocalMerchant()
        let api = try TestAPI(applePay: merchant.opener, at: LocalMerchant.instant)
        let token = JSONValue.string(try merchant.mint(try merchant.order()))
        let responses = [
            await api.put(try Example.token(token, ["order.amount": "56.56"])),
            await api.put(try Example.token(token, ["order.amount": "-1"])),
            await api.put(try Example.token(1, [:])), await api.put(try Example.changed()),
            await api.send(.get), await api.send(.put, authorization: []),
            await (try TestAPI()).put(try Example.token("{}")),
        ]
        #expect(responses.map(\.status) == [201, 400, 400, 400, 200, 400, 400])
        for response in responses { #expect(try Self.id(in: response) == nil) }
    }
}
