import HTTP
import HTTPTypes
import Testing

struct MetricsTests {
    @Test func `metrics are those of the gateway`() async throws {
        let response = try await TestControl().control(.get, "metrics")
        #expect(response.status == 200)
        #expect(response.head.headerFields[.contentType] == "text/plain; version=0.0.4")
        #expect(response.text == "counted 1\n")
    }

    @Test func `metrics are read, not written`() async throws {
        let control = try TestControl()
        for method in [HTTPRequest.Method.post, .put, .delete] {
            #expect(try await control.control(method, "metrics").status == 405)
        }
    }
}
