import Testing

@testable import ApplePay

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

struct CivilDateTests {
    @Test func `every day of 1200 years follows the one before`() {
        // From 1600-01-01, 135,140 days before 1970: three whole eras of 400 years.
        var expected = CivilDate(year: 1600, month: 1, day: 1)
        for days in Int64(-135_140)..<(-135_140 + 3 * 146_097) {
            let date = CivilDate(daysSinceEpoch: days)
            guard date == expected, date.daysSinceEpoch == days else {
                Issue.record("day \(days)")
                return
            }
            if expected.day < CivilDate.days(in: expected.month, of: expected.year) {
                expected = CivilDate(year: expected.year, month: expected.month, day: expected.day + 1)
            } else if expected.month < 12 {
                expected = CivilDate(year: expected.year, month: expected.month + 1, day: 1)
            } else {
                expected = CivilDate(year: expected.year + 1, month: 1, day: 1)
            }
        }
        #expect(expected == CivilDate(year: 2800, month: 1, day: 1))
    }

    @Test(arguments: [(1900, 28), (1996, 29), (2000, 29), (2021, 28), (2024, 29), (2100, 28)])
    func `February has a leap day in years by the Gregorian rule`(year: Int, days: Int) {
        #expect(CivilDate.days(in: 2, of: year) == days)
    }

    @Test(arguments: ["240930", "000101", "991231", "240229", "391231"])
    func `an expiry date is six digits that are a day`(text: String) throws {
        #expect(try #require(ApplicationExpirationDate(yymmdd: Array(text.utf8))).yymmdd == text)
    }

    @Test(arguments: [
        "", "24093", "2409300", "240931", "230229", "240001", "241301", "240900", "24o930", "-40930", "２40930",
    ])
    func `other text is no expiry date`(text: String) {
        #expect(ApplicationExpirationDate(yymmdd: Array(text.utf8)) == nil)
    }
}
