import ApplePay
import ControlAPI
import HTTP
import HTTPTypes
import Payments
import TestSupport
import Testing

struct MetricsTests {
    @Test func `metrics tell how long each merchant's certificate is still valid`() async throws {
        let control = try TestControl()
        let key = try #require(control.local.opener.keys.first)
        let notAfter = try #require(key.certificateNotAfter)
        let labels = #"{merchant="TESTMERCHANT",public_key_hash="\#(Base64.encoded(key.publicKeyHash))"}"#
        for (millisecondsBefore, days) in [(86_400_000, 1), (86_399_999, 0), (0, 0), (-1, -1), (-86_400_001, -2)] {
            let now = notAfter.advanced(byMilliseconds: -Int64(millisecondsBefore))
            _ = try await control.control(.put, "clock", #"{"instant":"\#(now)"}"#)
            let response = try await control.control(.get, "metrics")
            #expect(response.status == 200)
            #expect(response.head.headerFields[.contentType] == "text/plain; version=0.0.4; charset=utf-8")
            let lines = String(decoding: response.body, as: UTF8.self).split(separator: "\n").filter {
                $0.contains(labels)
            }
            #expect(
                lines == [
                    "tollgate_certificate_expiry_timestamp_seconds\(labels) \(notAfter.secondsSinceEpoch)",
                    "tollgate_certificate_days_left\(labels) \(days)",
                ])
        }
    }

    @Test func `metrics are read, not written`() async throws {
        let control = try TestControl()
        for method in [HTTPRequest.Method.post, .put, .delete] {
            #expect(try await control.control(method, "metrics").status == 405)
        }
    }
}
