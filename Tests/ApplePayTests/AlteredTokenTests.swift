import ApplePay
import JSON
import TestSupport
import Testing
import Values

/// Every byte of a token that Apple signed has one lawful value, and every shortened token is refused.
@Suite(.enabled(if: AppleVector.areAvailable, "TOLLGATE_VECTORS names no folder"))
struct AlteredTokenTests {
    /// The two ways in which each byte is altered: a low bit, and all of them.
    private static let masks: [UInt8] = [0x01, 0xFF]

    private let opener: TokenOpener
    private let token: TokenText

    init() throws {
        let vector = AppleVector("gala-2021")
        opener = TokenOpener(keys: [try vector.key], trust: try TestTrust.apple())
        token = try TokenText(try vector.token)
    }

    @Test func `the token is lawful as long as nothing is altered`() {
        #expect(opener.open(bytes: token.json, at: .signing).opened != nil)
    }

    @Test(arguments: masks)
    func `an altered ephemeral key is malformed or not what was signed`(mask: UInt8) {
        for index in token.ephemeralPublicKey.indices {
            let report = opened(altering: \.ephemeralPublicKey, at: index, mask: mask)
            // The first 27 bytes say that it is an uncompressed point on P-256.
            #expect(report.failedSteps == [index < 27 ? .parse : .signature], "byte \(index)")
        }
    }

    @Test(arguments: masks)
    func `altered data is not what was signed`(mask: UInt8) {
        for index in token.data.indices {
            let report = opened(altering: \.data, at: index, mask: mask)
            #expect(report.failedSteps == [.signature], "byte \(index)")
            #expect(report.refusal == .digestDiffers, "byte \(index)")
        }
    }

    @Test(arguments: masks)
    func `an altered transaction id is not what was signed`(mask: UInt8) {
        for index in token.transactionId.indices {
            let report = opened(altering: \.transactionId, at: index, mask: mask)
            #expect(report.failedSteps == [.signature], "byte \(index)")
            #expect(report.refusal == .digestDiffers, "byte \(index)")
        }
    }

    @Test(arguments: masks)
    func `an altered hash names no key`(mask: UInt8) {
        for index in token.publicKeyHash.indices {
            let report = opened(altering: \.publicKeyHash, at: index, mask: mask)
            #expect(report.failedSteps == [.publicKeyHash], "byte \(index)")
        }
    }

    @Test(arguments: 0..<4)
    func `an altered signature is refused by one of the first four steps`(quarter: Int) {
        for index in stride(from: quarter, to: token.signature.count, by: 4) {
            let report = opened(altering: \.signature, at: index, mask: 0x01)
            let steps = Set(report.failedSteps)
            #expect(!steps.isEmpty, "byte \(index) of \(token.signature.count)")
            #expect(steps.isSubset(of: [.parse, .certificates, .chain, .signature]), "byte \(index)")
            #expect(report.paymentData == nil, "byte \(index)")
        }
    }

    @Test func `a truncated signature is refused when it is parsed`() {
        for count in token.signature.indices {
            var altered = token
            altered.signature.removeLast(token.signature.count - count)
            #expect(opener.open(bytes: altered.json, at: .signing).failedSteps == [.parse], "\(count) bytes")
        }
    }

    @Test func `truncated JSON is refused when it is parsed`() {
        let json = token.json
        for count in json.indices {
            let report = opener.open(bytes: Array(json[..<count]), at: .signing)
            #expect(report.failedSteps == [.parse], "\(count) bytes")
        }
    }

    private func opened(
        altering member: WritableKeyPath<TokenText, [UInt8]>, at index: Int, mask: UInt8
    ) -> TokenReport {
        var altered = token
        altered[keyPath: member][index] ^= mask
        return opener.open(bytes: altered.json, at: .signing)
    }
}

/// A token's decoded members, which can be altered and written again.
struct TokenText {
    var data: [UInt8]
    var signature: [UInt8]
    var ephemeralPublicKey: [UInt8]
    var publicKeyHash: [UInt8]
    var transactionId: [UInt8]

    init(_ text: String) throws {
        let document = try JSONDocument(text)
        func bytes(_ node: JSONNode?, _ decode: (String) -> [UInt8]?) throws -> [UInt8] {
            let decoded = node?.string.flatMap(decode)
            return try #require(decoded)
        }
        let header = document.root["header"]
        data = try bytes(document.root["data"], Base64.decoded)
        signature = try bytes(document.root["signature"], Base64.decoded)
        ephemeralPublicKey = try bytes(header?["ephemeralPublicKey"], Base64.decoded)
        publicKeyHash = try bytes(header?["publicKeyHash"], Base64.decoded)
        transactionId = try bytes(header?["transactionId"]) { Hexadecimal.decoded(Array($0.utf8)) }
    }

    var json: [UInt8] {
        let header: JSONValue = [
            "ephemeralPublicKey": .string(Base64.encoded(ephemeralPublicKey)),
            "publicKeyHash": .string(Base64.encoded(publicKeyHash)),
            "transactionId": .string(Hexadecimal.encoded(transactionId)),
        ]
        let token: JSONValue = [
            "version": "EC_v1", "header": header, "data": .string(Base64.encoded(data)),
            "signature": .string(Base64.encoded(signature)),
        ]
        return token.serialized()
    }
}
