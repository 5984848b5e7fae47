/// A point in time, in whole milliseconds since 1970-01-01T00:00:00Z.
///
/// Time is an argument everywhere in Tollgate: only the program reads a clock, so that a whole gateway can run at the
/// instant at which a recorded token was signed. The resolution of milliseconds is that of Mastercard's replies.
public struct Instant: Hashable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z; negative before it.
    public let millisecondsSinceEpoch: Int64

    /// Creates an instant from milliseconds since 1970-01-01T00:00:00Z.
    public init(millisecondsSinceEpoch: Int64) { self.millisecondsSinceEpoch = millisecondsSinceEpoch }

    /// Creates an instant from whole seconds since 1970-01-01T00:00:00Z.
    public init(secondsSinceEpoch: Int64) { millisecondsSinceEpoch = secondsSinceEpoch * 1000 }

    /// Whole seconds since 1970-01-01T00:00:00Z, rounded down.
    public var secondsSinceEpoch: Int64 { millisecondsSinceEpoch.dividedRoundingDown(by: 1000) }

    /// The number of whole days from `other` to this instant, rounded down; negative if this instant is earlier.
    public func wholeDays(after other: Instant) -> Int64 {
        (millisecondsSinceEpoch - other.millisecondsSinceEpoch).dividedRoundingDown(by: 86_400_000)
    }

    /// The instant that is `milliseconds` later, or earlier if they are negative.
    public func advanced(byMilliseconds milliseconds: Int64) -> Instant {
        Instant(millisecondsSinceEpoch: millisecondsSinceEpoch + milliseconds)
    }
}

extension Instant: Comparable {
    /// Whether the first instant is earlier.
    public static func < (one: Instant, other: Instant) -> Bool {
        one.millisecondsSinceEpoch < other.millisecondsSinceEpoch
    }
}

extension Instant {
    /// The fields of an instant in UTC, proleptic Gregorian.
    public struct Fields: Equatable, Sendable {
        /// The year; 1970…9999 in practice.
        public let year: Int
        /// The month, 1…12.
        public let month: Int
        /// The day of the month, 1…31.
        public let day: Int
        /// The hour, 0…23.
        public let hour: Int
        /// The minute, 0…59.
        public let minute: Int
        /// The second, 0…59; POSIX time has no leap seconds.
        public let second: Int
        /// The millisecond, 0…999.
        public let millisecond: Int
        /// The day of the year, 1…366.
        public let dayOfYear: Int
    }

    /// The instant's fields in UTC.
    public var fields: Fields {
        let seconds = secondsSinceEpoch
        let days = seconds.dividedRoundingDown(by: 86_400)
        let secondOfDay = Int(seconds - days * 86_400)
        let date = CivilDate(daysSinceEpoch: days)
        return Fields(
            year: date.year, month: date.month, day: date.day, hour: secondOfDay / 3600,
            minute: secondOfDay / 60 % 60, second: secondOfDay % 60,
            millisecond: Int(millisecondsSinceEpoch - seconds * 1000),
            dayOfYear: Int(days - CivilDate(year: date.year, month: 1, day: 1).daysSinceEpoch) + 1)
    }

    /// Creates an instant from its fields in UTC; nil if a field is out of range for that month and year.
    public init?(
        year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0, millisecond: Int = 0
    ) {
        guard (0...9999).contains(year), (1...12).contains(month),
            (1...CivilDate.days(in: month, of: year)).contains(day), (0...23).contains(hour),
            (0...59).contains(minute), (0...59).contains(second), (0...999).contains(millisecond)
        else { return nil }
        let days = CivilDate(year: year, month: month, day: day).daysSinceEpoch
        let seconds = days * 86_400 + Int64(hour * 3600 + minute * 60 + second)
        self.init(millisecondsSinceEpoch: seconds * 1000 + Int64(millisecond))
    }
}

extension Instant: CustomStringConvertible {
    /// The instant as `YYYY-MM-DDThh:mm:ss.SSSZ`, the format of Mastercard's replies.
    public var description: String { text(hasFraction: true) }

    /// The instant as `YYYY-MM-DDThh:mm:ssZ`, without a fraction: for times that are known only to the second.
    public var wholeSeconds: String { text(hasFraction: false) }

    private func text(hasFraction: Bool) -> String {
        let fields = fields
        // 24 bytes, or a few more for years far beyond 9999.
        return String(unsafeUninitializedCapacity: 48) { text in
            var count = 0
            func append(_ mark: Unicode.Scalar) {
                text[count] = UInt8(ascii: mark)
                count += 1
            }
            func append(_ number: Int, digits: Int) {
                // Digits are written from the last to the first, because a year after 9999 has more than four.
                let start = count
                var rest = number.magnitude
                while rest > 0 || count < start + digits {
                    text[count] = UInt8(ascii: "0") + UInt8(rest % 10)
                    rest /= 10
                    count += 1
                }
                text[start..<count].reverse()
            }
            if fields.year < 0 { append("-") }
            append(fields.year, digits: 4)
            append("-")
            append(fields.month, digits: 2)
            append("-")
            append(fields.day, digits: 2)
            append("T")
            append(fields.hour, digits: 2)
            append(":")
            append(fields.minute, digits: 2)
            append(":")
            append(fields.second, digits: 2)
            if hasFraction {
                append(".")
                append(fields.millisecond, digits: 3)
            }
            append("Z")
            return count
        }
    }

    /// Parses RFC 3339 with `T` and `Z`, and no fraction of a second or one of one to three digits:
    /// `2021-09-01T19:03:10Z`. Nil for any other form.
    public init?(rfc3339 text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes.last == UInt8(ascii: "Z") else { return nil }
        for (position, mark) in [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":")] as [(Int, Unicode.Scalar)] {
            guard bytes[position] == UInt8(ascii: mark) else { return nil }
        }
        guard let year = bytes.number(0..<4), let month = bytes.number(5..<7), let day = bytes.number(8..<10),
            let hour = bytes.number(11..<13), let minute = bytes.number(14..<16), let second = bytes.number(17..<19)
        else { return nil }
        var millisecond = 0
        let fraction = bytes[19..<(bytes.count - 1)]
        if !fraction.isEmpty {
            guard fraction.first == UInt8(ascii: "."), (2...4).contains(fraction.count),
                let digits = bytes.number(20..<(bytes.count - 1))
            else { return nil }
            millisecond = digits * [100, 10, 1][fraction.count - 2]
        }
        self.init(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second, millisecond: millisecond)
    }
}

extension [UInt8] {
    /// The value of the decimal digits in `range`; nil if there is any other byte.
    fileprivate func number(_ range: Range<Int>) -> Int? {
        var value = 0
        for byte in self[range] {
            guard byte.isDigit else { return nil }
            value = value * 10 + byte.digit
        }
        return value
    }
}

extension Int64 {
    /// The quotient, rounded towards negative infinity.
    fileprivate func dividedRoundingDown(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
