public import JSON
public import Values

/// Contents of requests that nobody would write, fixed by a seed.
public struct RandomJSON: Sendable {
    /// Where the numbers come from.
    public var generator: SeededGenerator
    private let paths: [[String]]

    /// - Parameters:
    ///   - paths: dotted paths of members that the API knows.
    public init(seed: UInt64, paths: [String]) {
        generator = SeededGenerator(seed: seed)
        self.paths = paths.map { $0.split(separator: ".").map(String.init) }
    }

    /// A value with some of its members replaced by others, removed, or joined by further ones.
    public mutating func altered(_ value: JSONValue) -> JSONValue {
        var altered = value
        for _ in 0...Int.random(in: 0..<4, using: &generator) {
            let path = paths.randomElement(using: &generator) ?? ["x"]
            altered.put(path.prefix(Int.random(in: 1...path.count, using: &generator)), leaf(depth: 0))
        }
        return altered
    }

    /// Bytes of which a few are changed, missing or too many.
    public mutating func altered(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0...Int.random(in: 0..<4, using: &generator) where !bytes.isEmpty {
            let index = Int.random(in: 0..<bytes.count, using: &generator)
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
            case 1: bytes.remove(at: index)
            case 2: bytes.insert(Self.marks.randomElement(using: &generator) ?? 0, at: index)
            case 3: bytes.removeSubrange(index...)
            default: bytes.removeSubrange(index..<min(bytes.count, index + 20))
            }
        }
        return bytes
    }

    /// Any value, nil for none.
    private mutating func leaf(depth: Int) -> JSONValue? {
        switch Int.random(in: 0..<12, using: &generator) {
        case 0: return nil
        case 1: return .null
        case 2: return .bool(Bool.random(using: &generator))
        case 3, 4: return .number(number())
        case 5 where depth < 3:
            return .array((0..<Int.random(in: 0..<4, using: &generator)).compactMap { _ in leaf(depth: depth + 1) })
        case 6 where depth < 3:
            var members = JSONObject()
            for _ in 0..<Int.random(in: 0..<4, using: &generator) {
                let path = paths.randomElement(using: &generator) ?? ["x"]
                members[path.randomElement(using: &generator) ?? "x"] = leaf(depth: depth + 1)
            }
            return .object(members)
        default: return .string(text())
        }
    }

    private mutating func number() -> JSONNumber {
        Self.numbers.randomElement(using: &generator).flatMap { JSONNumber($0) }
            ?? JSONNumber(Int64.random(in: Int64.min...Int64.max, using: &generator))
    }

    private mutating func text() -> String {
        if Bool.random(using: &generator) { return Self.texts.randomElement(using: &generator) ?? "" }
        let scalars = (0..<Int.random(in: 0..<60, using: &generator)).compactMap { _ in
            Unicode.Scalar(
                UInt32.random(in: 0..<(Bool.random(using: &generator) ? 0x80 : 0x11_0000), using: &generator))
        }
        return String(String.UnicodeScalarView(scalars))
    }

    private static let marks = Array(#"{}[]",:\0919.eE+-nulltrue/ "#.utf8) + [0x00, 0x7F, 0x80, 0xC3, 0xE2, 0xF0]

    private static let numbers = [
        "0", "-0", "1", "-1", "0.0", "12.5", "1e0", "1E400", "-1e-400", "5656", "5656.00", "99999999999999", "1e12",
        "1000000000000", "1000000000001", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
        "0.1234567890123456789", "123456789012345678901234567890123456789012345678901234567890",
    ]

    private static let texts = [
        "", " ", "0", "01", "12", "39", "100", "5656.00", "0.01", "1000000000000", "99999999999999", "-1.00", "USD",
        "JPY",
        "KWD", "XXX", "CARD", "PAY", "AUTHORIZE", "CAPTURE", "REFUND", "VOID", "VERIFY", "APPLE_PAY", "INTERNET", "1",
        "2",
        "5123450000000008", "4508750015741019", "3DSECURE", "IA/8pdiWftSsxpFT6wABoDABhgA=", "2026-02-30",
        "9999-99-99T99:99:99Z", "2021-09-01T19:03:10Z", "a@b", "https://x", "\u{0}", "\u{7F}", "e\u{301}", "👍🏽", "\"\\/",
        "SESSION0002000000000A0000000B00", #"{"version":"EC_v1"}"#, String(repeating: "9", count: 500),
        String(repeating: "👍", count: 41),
    ]
}

extension JSONValue {
    fileprivate mutating func put(_ path: ArraySlice<String>, _ value: JSONValue?) {
        guard let name = path.first else { return }
        var members = JSONObject()
        if case .object(let present) = self { members = present }
        if path.count == 1 {
            members[name] = value
        } else {
            var inner = members[name] ?? [:]
            inner.put(path.dropFirst(), value)
            members[name] = inner
        }
        self = .object(members)
    }
}
