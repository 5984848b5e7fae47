import Access
import ApplePay
import HTTP
import HTTPTypes
import JSON
import MerchantAPI
import Payments
import TestSupport
import Testing
import Values

@testable import OperationsAPI

struct RequestMetricsTests {
    @Test func `requests are counted by operation and outcome`() async throws {
        let gateway = try TestGateway()
        let token = try gateway.local.mint(gateway.local.order())
        await gateway.send(.to(.get, Request.base + "information", password: nil))
        await gateway.send(.payment())
        await gateway.send(.payment(order: "declined", amount: "5757.00"))
        await gateway.send(.payment(order: "unknown", amount: "6363.00"))
        await gateway.send(.payment(order: "wrong", amount: "1.000"))
        await gateway.send(.payment(password: "wrong"))
        await gateway.send(.token(token, amount: "56.56", order: "token"))
        await gateway.send(.token(token, amount: "56.56", order: "again"))
        await gateway.send(.token(token, amount: "56.57", order: "other"))
        await gateway.send(.to(.get, Request.merchant + "order/order-1"))
        await gateway.send(.to(.post, Request.merchant + "session"))
        await gateway.send(.to(.delete, Request.merchant + "order/order-1"))
        await gateway.send(.to(.put, Request.merchant + "order/o/transaction/1", #"{"apiOperation":"DANCE"}"#))
        await gateway.send(.to(.get, "/favicon.ico"))
        await gateway.send(.to(.get, "/_tollgate/health"))

        let counted = try gateway.counted()
        for (operation, outcome, count) in [
            ("CHECK_GATEWAY", "success", "1"), ("PAY", "success", "1"), ("PAY", "failure", "1"),
            ("PAY", "unknown", "1"), ("PAY", "refused", "1"), ("AUTHORIZE", "success", "1"),
            ("AUTHORIZE", "refused", "2"), ("RETRIEVE_ORDER", "success", "1"), ("CREATE_SESSION", "success", "1"),
        ] {
            #expect(
                counted["tollgate_requests_total", ["operation": operation, "outcome": outcome]] == count,
                "\(operation) \(outcome)")
        }
        let transaction = RouteTemplate.transaction.text
        for (route, outcome, count) in [
            (transaction, "unauthorized", "1"), (transaction, "refused", "1"),
            (RouteTemplate.order.text, "refused", "1"),
            ("none", "refused", "1"), ("/_tollgate/{resource}", "refused", "1"),
        ] {
            let labels = ["operation": "none", "route": route, "outcome": outcome]
            #expect(counted["tollgate_requests_total", labels] == count, "\(route) \(outcome)")
        }
        #expect(counted["tollgate_token_refusals_total", ["step": "replay"]] == "1")
        #expect(counted["tollgate_token_refusals_total", ["step": "transactionDetails"]] == "1")
        #expect(counted["tollgate_token_refusals_total", ["step": "parse"]] == "0")
        #expect(counted["tollgate_request_duration_seconds_count", ["operation": "AUTHORIZE"]] == "3")
        // A replay is refused by the store, and the amount where the token is opened.
        #expect(counted["tollgate_stage_duration_seconds_count", ["stage": "open"]] == "6")
        #expect(counted["tollgate_stage_duration_seconds_count", ["stage": "commit"]] == "6")
    }

    @Test func `labels are of our choice, whatever a peer sends`() async throws {
        let gateway = try TestGateway()
        let known = try gateway.counted().families.map(\.name)
        let planted = ["pl4nted", #"p"l\a"#, "4508750015741019"]
        for text in planted {
            await gateway.send(.to(.get, "/\(text)"))
            await gateway.send(.to(.get, Request.base + "merchant/\(text)/order/\(text)"))
            await gateway.send(.payment(text, order: text))
            await gateway.send(
                .to(.put, Request.merchant + "order/1/transaction/1", #"{"apiOperation":"pl4nted"}"#))
            if let method = HTTPRequest.Method("PL4NTED") { await gateway.send(.to(method, Request.base + text)) }
        }
        let counted = try gateway.counted()
        let values = counted.families.flatMap(\.samples).flatMap(\.labels.values)
        for text in planted + ["PL4NTED"] { #expect(!values.contains { $0.contains(text) }, "\(text)") }
        #expect(
            counted.families.map(\.name).filter { !known.contains($0) } == [
                "tollgate_requests_total", "tollgate_request_duration_seconds",
            ])
    }

    @Test func `what no handler saw is counted by its status, and answered as before`() throws {
        let metrics = RequestMetrics(MerchantAPI.operations)
        let refusal = metrics.counting { status, _ in Response(status: status, body: [1]) }
        for status in [400, 400, 415, 431, 503, 418] {
            #expect(refusal(HTTPResponse.Status(code: status), nil).head.status.code == status)
        }
        var text = MetricsText()
        metrics.write(to: &text)
        let counted = try Exposition(text.text)
        for (status, count) in [("400", "2"), ("415", "1"), ("431", "1"), ("503", "1"), ("other", "1"), ("501", "0")] {
            #expect(counted["tollgate_http_refusals_total", ["status": status]] == count, "\(status)")
        }
    }

    @Test func `a request that is cut is counted as such`() async throws {
        let gateway = try TestGateway()
        #expect(await gateway.send(.to(.get, "/"), by: { _, _ in .laterOrCut { nil } }) == nil)
        #expect(try gateway.counted()["tollgate_requests_total", ["outcome": "cut"]] == "1")
        #expect(try gateway.lines().first?["status"] == nil)
        #expect(try gateway.lines().first?["outcome"] == .string("cut"))
    }

    @Test func `every series has labels of its own`() {
        let series = RequestSeries.all(of: MerchantAPI.operations + MerchantAPI.operations)
        let labels = series.map { $0.route + " " + $0.operation }
        #expect(Set(labels).count == labels.count)
        #expect(labels.contains("/api/rest/version/{version}/information CHECK_GATEWAY"))
        #expect(labels.contains("/api/rest/version/{version}/information none"))
    }

    @Test func `an operation that no API registered is counted as one of no API`() throws {
        let metrics = RequestMetrics([])
        var facts = RequestTrace.Facts()
        facts.operation = MerchantAPI.operations.first
        metrics.count(facts, StageClock(), status: 200, isControl: false)
        var text = MetricsText()
        metrics.write(to: &text)
        let labels = ["route": "none", "operation": "none", "outcome": "success"]
        #expect(try Exposition(text.text)["tollgate_requests_total", labels] == "1")
    }

    @Test func `metrics tell how long each merchant's certificate is still valid`() throws {
        let local = try LocalMerchant()
        let key = try #require(local.opener.keys.first)
        let notAfter = try #require(key.certificateNotAfter)
        let merchant = Merchant(
            id: try MerchantID("TESTMERCHANT"), passwords: [APIPassword(digesting: SecretText("word"))],
            applePay: local.opener)
        let labels = ["merchant": "TESTMERCHANT", "public_key_hash": Base64.encoded(key.publicKeyHash)]
        for (millisecondsBefore, days) in [(86_400_000, 1), (86_399_999, 0), (0, 0), (-1, -1), (-86_400_001, -2)] {
            var text = MetricsText()
            let now = notAfter.advanced(byMilliseconds: -Int64(millisecondsBefore))
            CertificateMetrics(of: [merchant], at: now).write(to: &text)
            let told = try Exposition(text.text)
            #expect(told["tollgate_certificate_days_left", labels] == "\(days)")
            #expect(
                told["tollgate_certificate_expiry_timestamp_seconds", labels] == "\(notAfter.secondsSinceEpoch)")
        }
    }

    @Test func `metrics tell how long the gateway's own certificate is still valid`() throws {
        var metrics = try TestGateway().metrics
        let now = LocalMerchant.instant
        for (secondsLeft, days) in [(3 * 86_400 as Int64, 3), (86_399, 0), (-1, -1)] {
            let notAfter = now.advanced(byMilliseconds: secondsLeft * 1000)
            metrics.serverCertificate = { (notAfter, now) }
            let told = try Exposition(metrics.text)
            #expect(told["tollgate_tls_certificate_days_left", [:]] == "\(days)")
            #expect(
                told["tollgate_tls_certificate_expiry_timestamp_seconds", [:]] == "\(notAfter.secondsSinceEpoch)")
        }
        metrics.serverCertificate = { nil }
        #expect(!metrics.text.contains("tollgate_tls_certificate"))
    }

    @Test func `the process has metrics with the customary names`() throws {
        var text = MetricsText()
        ProcessFigures().write(to: &text)
        let told = try Exposition(text.text)
        for name in [
            "process_start_time_seconds", "process_cpu_seconds_total", "process_resident_memory_bytes",
            "process_open_fds", "process_max_fds",
        ] {
            #expect(told[name, [:]].flatMap { Double($0) }.map { $0 > 0 } == true, "\(name)")
        }
    }

    @Test func `batches are counted by their sizes`() {
        let sizes = BatchSizes()
        for size in [1, 1, 2, 3, 4, 5, 8, 9, 128, 129, 256] { sizes.count(size) }
        #expect(sizes.snapshot.counts.map(\.sizeMax) == [1, 2, 4, 8, 16, 32, 64, 128, 256])
        #expect(sizes.snapshot.counts.map(\.count) == [2, 1, 2, 2, 1, 0, 0, 1, 2])
        #expect(sizes.snapshot.sum == 546)
    }
}
