import Testing

@testable import Values

struct InstantTests {
    @Test(
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2021-09-01T19:03:06Z", 1_630_522_986_000),
            ("2021-09-01T19:03:06.5Z", 1_630_522_986_500), ("2021-09-01T19:03:06.05Z", 1_630_522_986_050),
            ("2021-09-01T19:03:06.007Z", 1_630_522_986_007), ("1969-12-31T23:59:59.999Z", -1),
            ("2000-02-29T00:00:00Z", 951_782_400_000), ("2038-01-19T03:14:08Z", 2_147_483_648_000),
            ("9999-12-31T23:59:59.999Z", 253_402_300_799_999), ("0000-01-01T00:00:00Z", -62_167_219_200_000),
        ] as [(String, Int64)])
    func `RFC 3339 is read and written`(text: String, milliseconds: Int64) throws {
        let instant = try #require(Instant(rfc3339: text))
        #expect(instant.millisecondsSinceEpoch == milliseconds)
        #expect(Instant(rfc3339: instant.description) == instant)
        #expect(instant.description.count == 24)
    }

    @Test(arguments: [
        "", "2021-09-01", "2021-09-01T19:03:06", "2021-09-01t19:03:06Z", "2021-09-01T19:03:06z", "2021-09-01 19:03:06Z",
        "2021-09-01T19:03:06+00:00", "2021-09-01T19:03:06.Z", "2021-09-01T19:03:06.0000Z", "2021-09-01T19:03:06,5Z",
        "2021-09-01T24:00:00Z", "2021-09-01T19:60:00Z", "2021-09-01T19:03:60Z", "2021-00-01T00:00:00Z",
        "2021-13-01T00:00:00Z", "2021-09-00T00:00:00Z", "2021-09-31T00:00:00Z", "2021-02-29T00:00:00Z",
        "1900-02-29T00:00:00Z", "+021-09-01T19:03:06Z", "-021-09-01T19:03:06Z", "2021-9-01T19:03:06Z0",
        " 2021-09-01T19:03:06Z", "2021-09-01T19:03:06Z ", "２021-09-01T19:03:06Z", "20210901T190306Z00000",
    ])
    func `other text is no instant`(text: String) {
        #expect(Instant(rfc3339: text) == nil)
    }

    @Test func `an instant has its fields`() throws {
        let fields = try #require(Instant(rfc3339: "2020-12-31T23:58:57.123Z")).fields
        #expect(
            fields
                == Instant.Fields(
                    year: 2020, month: 12, day: 31, hour: 23, minute: 58, second: 57, millisecond: 123, dayOfYear: 366))
    }

    @Test func `before 1970 seconds are rounded down`() {
        let instant = Instant(millisecondsSinceEpoch: -1)
        #expect(instant.secondsSinceEpoch == -1)
        #expect(instant.description == "1969-12-31T23:59:59.999Z")
        #expect(instant < Instant(secondsSinceEpoch: 0))
        #expect(instant.advanced(byMilliseconds: 1) == Instant(secondsSinceEpoch: 0))
    }
}
