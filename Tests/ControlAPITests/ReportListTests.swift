import HTTP
import HTTPTypes
import JSON
import Payments
import TestSupport
import Testing
import Values

struct ReportListTests {
    /// Presents a token with a defect, which is refused and reported.
    private func present(_ defect: String, to control: TestControl, as order: String) async throws {
        let token = try await control.control(
            .post, "tokens", #"{"amount":"1.00","currency":"USD","request":"PAY","defect":"\#(defect)"}"#)
        var request = Request.payment(order: order)
        request.body = try #require(token["request"]).serialized()
        #expect(await control.send(request)?.status == 400)
    }

    private func texts(_ name: String, _ list: Response) -> [String] {
        list.elements("reports").compactMap {
            guard case .string(let text) = $0[name] else { return nil }
            return text
        }
    }

    @Test func `reports are listed newest first, with what each says in brief`() async throws {
        let control = try TestControl()
        #expect(try await control.control(.get, "reports").text == #"{"reports":[]}"#)
        try await present("tag-altered", to: control, as: "a")
        try await present("signature-altered", to: control, as: "b")
        let list = try await control.control(.get, "reports")
        #expect(texts("reason", list) == ["signature", "decrypt"], "\(list.text)")
        #expect(texts("merchant", list) == ["TESTMERCHANT", "TESTMERCHANT"])
        #expect(texts("time", list) == Array(repeating: LocalMerchant.instant.description, count: 2))
        #expect(list["next"] == nil)
        for (id, explanation) in zip(texts("id", list), texts("explanation", list)) {
            let report = try await control.control(.get, "reports/\(id)")
            #expect(report.elements("steps").contains { $0["detail"] == .string(explanation) }, "\(report.text)")
        }
        _ = try await control.control(.post, "reset")
        #expect(try await control.control(.get, "reports").text == #"{"reports":[]}"#)
    }

    @Test func `a list goes on before the report with which it ended`() async throws {
        let control = try TestControl()
        for order in 1...5 { try await present("tag-altered", to: control, as: "order-\(order)") }
        let all = texts("id", try await control.control(.get, "reports"))
        #expect(Set(all).count == 5)
        var found: [String] = []
        var query = "reports?limit=2"
        for count in [2, 2, 1] {
            let page = try await control.control(.get, query)
            #expect(page.elements("reports").count == count)
            found += texts("id", page)
            #expect((page.string("next") == nil) == (count == 1))
            query = "reports?limit=2&before=\(page.string("next") ?? "")"
        }
        #expect(found == all)
        #expect(try await control.control(.get, "reports?limit=5")["next"] == nil)
    }

    @Test func `a list is of one merchant or of all`() async throws {
        let control = try TestControl()
        try await present("tag-altered", to: control, as: "a")
        let of = { (merchant: String) in try await control.control(.get, "reports?merchant=\(merchant)") }
        #expect(try await of("TESTMERCHANT").elements("reports").count == 1)
        #expect(try await of("OTHER").elements("reports").isEmpty)
    }

    @Test(arguments: [
        ("reports?limit=0", "400 limit"), ("reports?limit=101", "400 limit"), ("reports?limit=x", "400 limit"),
        ("reports?limit=1&limit=2", "400 -"), ("reports?order=a", "400 -"), ("reports?limit", "400 -"),
        ("reports?merchant=a%20b", "400 merchant"), ("reports?merchant=%00", "400 merchant"),
        ("reports?before=x", "400 before"),
    ])
    func `a query that is not understood is refused`(path: String, refusal: String) async throws {
        #expect(try await TestControl().control(.get, path).refusal == refusal)
    }

    @Test func `reports are only read`() async throws {
        let control = try TestControl()
        for method in [HTTPRequest.Method.post, .put, .delete] {
            let response = try await control.control(method, "reports")
            #expect(response.status == 405)
            #expect(response.head.headerFields[.allow] == "GET, HEAD")
        }
    }
}
