/// An instant in the format of the `Date` field: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7, IMF-fixdate).
public struct HTTPDate: Sendable, Hashable, CustomStringConvertible {
    /// Seconds since 1970-01-01 00:00:00 UTC, without leap seconds.
    public let unixSeconds: Int64
    /// The formatted instant: 29 ASCII characters.
    public let bytes: [UInt8]

    /// The complete `Date` field line, with its CRLF.
    let fieldLine: [UInt8]

    /// Formats an instant.
    ///
    /// - Parameter unixSeconds: the instant, clamped to the years 0000 to 9999, which the format can express.
    public init(unixSeconds: Int64) {
        let clamped = min(max(unixSeconds, -62_167_219_200), 253_402_300_799)
        self.unixSeconds = clamped
        var days = clamped / 86_400
        var second = clamped % 86_400
        if second < 0 {
            second += 86_400
            days -= 1
        }
        let (year, month, day) = Self.civilDate(daysSince1970: days)
        // 1970-01-01 was a Thursday.
        let weekday = ((days % 7) + 7 + 4) % 7

        var bytes: [UInt8] = []
        bytes.reserveCapacity(29)
        bytes.append(contentsOf: Self.weekdays[Int(weekday)].utf8)
        bytes.append(contentsOf: ", ".utf8)
        Self.append(day, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: " "))
        bytes.append(contentsOf: Self.months[Int(month) - 1].utf8)
        bytes.append(UInt8(ascii: " "))
        Self.append(year, digits: 4, to: &bytes)
        bytes.append(UInt8(ascii: " "))
        Self.append(second / 3600, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        Self.append(second / 60 % 60, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        Self.append(second % 60, digits: 2, to: &bytes)
        bytes.append(contentsOf: " GMT".utf8)
        self.bytes = bytes
        fieldLine = Array("Date: ".utf8) + bytes + Array("\r\n".utf8)
    }

    /// The formatted instant.
    public var description: String { String(decoding: bytes, as: UTF8.self) }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The proleptic Gregorian date, computed in eras of 400 years that begin on 1 March, so that a leap day is the
    /// last day of its year.
    private static func civilDate(daysSince1970: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let daysInEra: Int64 = 146_097
        // 0000-03-01 is 719,468 days before 1970-01-01.
        let days = daysSince1970 + 719_468
        let era = (days >= 0 ? days : days - (daysInEra - 1)) / daysInEra
        let dayOfEra = days - era * daysInEra
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    private static func append(_ number: Int64, digits: Int, to bytes: inout [UInt8]) {
        var divisor: Int64 = 1
        for _ in 1..<digits { divisor *= 10 }
        while divisor > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
            divisor /= 10
        }
    }
}
