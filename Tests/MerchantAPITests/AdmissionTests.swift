import HTTP
import HTTPTypes
import OpenSSL
import Payments
import TestSupport
import Testing
import Values

/// Who is let in besides those who present a password of 128 random bits.
struct AdmissionTests {
    private static let refused =
        #"{"error":{"cause":"INVALID_REQUEST","explanation":"Invalid credentials."},"result":"ERROR"}"#

    private static func merchant(
        _ id: String, passwords: [APIPassword] = [APIPassword(digesting: SecretText("random"))],
        isEnabled: Bool = true, certificates: [[UInt8]] = []
    ) throws -> Merchant {
        Merchant(
            id: try MerchantID(id), passwords: passwords, applePay: nil, isEnabled: isEnabled,
            certificateFingerprints: certificates)
    }

    /// A derived password that costs next to nothing.
    private static func derived(_ text: String) throws -> APIPassword {
        let salt = RandomBytes.generate(16)
        let cost = try #require(Scrypt(cost: 2, blockSize: 1, parallelization: 1))
        let key = try Array(text.utf8).withUnsafeBytes { try cost.key(password: $0, salt: salt) }
        let digits = key.withUnsafeBytes { Hexadecimal.encoded($0) }
        return try #require(APIPassword(kept: "scrypt:2:1:1:\(Hexadecimal.encoded(salt)):\(digits)"))
    }

    /// Whether the answer is there without anything being derived.
    private static func isAnsweredAtOnce(_ gate: Gate, _ merchant: String, password: String) throws -> Bool {
        if case .now = try gate.answer(Gate.Question(merchant: merchant, password: password)) { true } else { false }
    }

    private static func isAdmitted(_ response: Response, _ merchant: String) -> Bool {
        response.refusal == "400 | - | - | Unable to find order 1 for merchant \(merchant)"
    }

    @Test func `a chosen password is derived from once, and all passwords are told at once from then on`() async throws
    {
        let gate = try Gate([
            try Self.merchant("CHOSEN", passwords: [Self.derived("first"), Self.derived("second")]),
            try Self.merchant("RANDOM"),
        ])
        for merchant in ["CHOSEN", "RANDOM", "UNKNOWN"] {
            #expect(try !Self.isAnsweredAtOnce(gate, merchant, password: "wrong"))
            let response = try await gate.ask(merchant, password: "wrong")
            #expect(response.status == 401)
            #expect(response.text == Self.refused)
            #expect(response.head.headerFields[.wwwAuthenticate] == nil)
        }
        #expect(try await Self.isAdmitted(gate.ask("RANDOM", password: "random"), "RANDOM"))
        #expect(try await Self.isAdmitted(gate.ask("CHOSEN", password: "second"), "CHOSEN"))
        #expect(try !Self.isAnsweredAtOnce(gate, "RANDOM", password: "wrong"))
        #expect(try await Self.isAdmitted(gate.ask("CHOSEN", password: "first"), "CHOSEN"))

        for merchant in ["CHOSEN", "RANDOM", "UNKNOWN"] {
            #expect(try Self.isAnsweredAtOnce(gate, merchant, password: "wrong"))
            #expect(try await gate.ask(merchant, password: "wrong").text == Self.refused)
        }
        #expect(try await Self.isAdmitted(gate.ask("CHOSEN", password: "second"), "CHOSEN"))
    }

    @Test func `a password that was taken from a merchant is refused though it was remembered`() async throws {
        let old = try Self.derived("old")
        let gate = try Gate([try Self.merchant("M", passwords: [old])])
        #expect(try await Self.isAdmitted(gate.ask("M", password: "old"), "M"))
        gate.merchants.replace([try Self.merchant("M", passwords: [Self.derived("new")])])
        #expect(try await gate.ask("M", password: "old").status == 401)
        #expect(try await Self.isAdmitted(gate.ask("M", password: "new"), "M"))
    }

    @Test func `a right password waits for one derivation, however often it is presented`() async throws {
        let password = try APIPassword(deriving: SecretText("word"))
        let gate = try Gate([try Self.merchant("M", passwords: [password])])
        let statuses = try await Self.statuses(40) { _ in try await gate.ask("M", password: "word").status }
        #expect(statuses == [400: 40])
    }

    @Test func `many wrong passwords of one peer are asked to retry, which reveals nothing of them`() async throws {
        let password = try APIPassword(deriving: SecretText("word"))
        let gate = try Gate([try Self.merchant("M", passwords: [password])])
        let statuses = try await Self.statuses(24) { try await gate.ask("M", password: "wrong \($0)").status }
        #expect(statuses.keys.sorted() == [401, 503])
        #expect(try await Self.isAdmitted(gate.ask("M", password: "word"), "M"))
        #expect(try await Self.statuses(24) { try await gate.ask("M", password: "wrong \($0)").status } == [401: 24])
    }

    @Test func `all addresses of one IPv6 network of 64 bits are one peer`() async throws {
        let password = try APIPassword(deriving: SecretText("word"))
        let gate = try Gate([try Self.merchant("M", passwords: [password])])
        let statuses = try await Self.statuses(24) {
            try await gate.ask("M", password: "wrong \($0)", peer: "2001:db8::\(String($0 + 1, radix: 16))").status
        }
        #expect(statuses.keys.sorted() == [401, 503])
    }

    @Test func `a client over the limit is asked to retry`() async throws {
        let password = try APIPassword(deriving: SecretText("word"))
        let gate = try Gate([try Self.merchant("M", passwords: [password])])
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<24 { group.addTask { try await gate.ask("UNKNOWN", password: "\(number)").text } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        let busy =
            #"{"error":{"cause":"SERVER_BUSY","explanation":"Too many credentials are being checked. Send the "#
            + #"identical request later."},"result":"ERROR"}"#
        #expect(texts == [Self.refused, busy])
    }

    private static func statuses(
        _ count: Int, _ ask: @escaping @Sendable (Int) async throws -> Int
    ) async throws -> [Int: Int] {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<count { group.addTask { try await ask(number) } }
            return try await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
    }

    @Test func `a disabled merchant is refused like one that doesn't exist`() async throws {
        let certificate = [UInt8](repeating: 7, count: 32)
        let gate = try Gate([try Self.merchant("OFF", isEnabled: false, certificates: [certificate])])
        for merchant in ["OFF", "UNKNOWN"] {
            let response = try await gate.ask(merchant, password: "random", certificate: certificate)
            #expect(response.status == 401)
            #expect(response.text == Self.refused)
            #expect(try await gate.ask(merchant, password: nil, certificate: certificate).status == 401)
        }
    }

    @Test func `a merchant is known by a certificate of its own, without a password`() async throws {
        let certificate = SHA256.hash(Array("a certificate".utf8))
        let gate = try Gate([
            try Self.merchant("M", certificates: [SHA256.hash([]), certificate]), try Self.merchant("OTHER"),
        ])
        #expect(try await Self.isAdmitted(gate.ask("M", password: nil, certificate: certificate), "M"))
        #expect(try await Self.isAdmitted(gate.ask("M", password: "random", certificate: certificate), "M"))
        // A certificate makes up for no wrong password, and is nobody else's.
        #expect(try await gate.ask("M", password: "wrong", certificate: certificate).text == Self.refused)
        let other = try await gate.ask("OTHER", password: nil, certificate: certificate)
        #expect(other.status == 401)
        #expect(other.head.headerFields[.wwwAuthenticate] != nil)
        let unknown = try await gate.ask("M", password: nil, certificate: SHA256.hash([1]))
        #expect(unknown.status == 401)
        #expect(unknown.head.headerFields[.wwwAuthenticate] != nil)
        #expect(try await Self.isAdmitted(gate.ask("OTHER", password: "random", certificate: certificate), "OTHER"))
    }
}
