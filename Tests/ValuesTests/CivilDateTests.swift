import Testing

@testable import Values

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
}
