import Testing

@testable import OperationsAPI

struct MetricsTextTests {
    @Test func `names, values and help are escaped, and read as they were`() throws {
        var text = MetricsText()
        let value = "a\\b\"c\nd{e}=,"
        text.add("tollgate_x", .gauge, "back\\slash \"quoted\"\nnext", [([("label", value), ("other", "")], "1.5")])
        #expect(
            text.text
                == #"""
                # HELP tollgate_x back\\slash "quoted"\nnext
                # TYPE tollgate_x gauge
                tollgate_x{label="a\\b\"c\nd{e}=,",other=""} 1.5

                """#)
        let read = try Exposition(text.text)
        #expect(read.families.map(\.name) == ["tollgate_x"])
        #expect(read["tollgate_x", ["label": value, "other": ""]] == "1.5")
    }

    @Test func `buckets are cumulative and end with all`() throws {
        var text = MetricsText()
        let histogram = MetricsText.Histogram(buckets: [("1", 2), ("2", 0), ("4", 3)], beyond: 4, sum: "7")
        text.add("tollgate_sizes", "Sizes.", [([("kind", "a")], histogram), ([("kind", "b")], histogram)])
        let read = try Exposition(text.text)
        for (bound, count) in [("1", "2"), ("2", "2"), ("4", "5"), ("+Inf", "9")] {
            #expect(read["tollgate_sizes_bucket", ["kind": "a", "le": bound]] == count)
        }
        #expect(read["tollgate_sizes_count", ["kind": "b"]] == "9")
        #expect(read["tollgate_sizes_sum", ["kind": "b"]] == "7")
    }

    @Test func `of a family without a sample nothing is told`() {
        var text = MetricsText()
        text.add("tollgate_x_total", .counter, "Nothing.", [])
        text.add("tollgate_y", "Nothing.", [])
        #expect(text.text.isEmpty)
    }

    @Test(arguments: [
        (0, "0.000000000"), (1, "0.000000001"), (999_999_999, "0.999999999"), (1_000_000_000, "1.000000000"),
        (UInt64.max, "18446744073.709551615"),
    ])
    func `nanoseconds are written in seconds with no digit lost`(nanoseconds: UInt64, text: String) {
        #expect(MetricsText.seconds(nanoseconds: nanoseconds) == text)
    }

    @Test(arguments: [
        (0, "0.00001"), (10_000, "0.00001"), (10_001, "0.000025"), (25_000, "0.000025"), (1_000_000, "0.001"),
        (1_000_001, "0.0025"), (10_000_000_000, "10"), (10_000_000_001, "+Inf"), (UInt64.max, "+Inf"),
    ])
    func `a duration is counted in the first bucket that it is no longer than`(duration: UInt64, bound: String) throws {
        let histogram = LatencyHistogram()
        histogram.observe(duration)
        let snapshot = histogram.snapshot
        #expect(snapshot.count == 1)
        #expect(snapshot.buckets.first { $0.count == 1 }?.bound ?? "+Inf" == bound)
        #expect(snapshot.sum == MetricsText.seconds(nanoseconds: duration))
    }

    @Test(arguments: [
        "tollgate_x 1\n",
        "# HELP tollgate_x Text.\n# TYPE tollgate_x gauge\ntollgate_x 1",
        "# TYPE tollgate_x gauge\ntollgate_x 1\n",
        "# HELP tollgate_x Text.\n# TYPE tollgate_x counter\ntollgate_x 1\n",
        "# HELP tollgate_x Text.\n# TYPE tollgate_x gauge\n",
        "# HELP tollgate_x Text.\n# TYPE tollgate_x gauge\ntollgate_x 1\ntollgate_x 2\n",
        "# HELP tollgate_x Text.\n# TYPE tollgate_x gauge\ntollgate_y 1\n",
        "# HELP tollgate_x Text.\n# TYPE tollgate_x gauge\ntollgate_x{a=\"\\t\"} 1\n",
        "# HELP tollgate_x Text.\n# TYPE tollgate_x gauge\ntollgate_x{a=\"b\" 1\n",
        "# HELP tollgate_x Text.\n# TYPE tollgate_x gauge\ntollgate_x{a=\"b\"} one\n",
        "# HELP tollgate_x Text.\n# TYPE tollgate_x histogram\ntollgate_x_bucket{le=\"1\"} 2\ntollgate_x_bucket{le=\"+Inf\"} 1\n"
            + "tollgate_x_sum 1\ntollgate_x_count 1\n",
        "# HELP tollgate_x Text.\n# TYPE tollgate_x histogram\ntollgate_x_bucket{le=\"1\"} 1\n"
            + "tollgate_x_sum 1\ntollgate_x_count 1\n",
        "# HELP tollgate_x Text.\n# TYPE tollgate_x histogram\ntollgate_x_bucket{le=\"+Inf\"} 1\ntollgate_x_count 1\n",
        "# HELP tollgate_x Text.\n# TYPE tollgate_x histogram\ntollgate_x_bucket{le=\"+Inf\"} 1\ntollgate_x_sum 1\n"
            + "tollgate_x_count 2\n",
    ])
    func `the reader of these tests is strict`(text: String) {
        #expect(throws: Exposition.Fault.self) { try Exposition(text) }
    }
}
