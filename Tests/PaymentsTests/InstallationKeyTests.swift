import ApplePay
import OpenSSL
import Payments
import TestSupport
import Testing
import Values
import Vault

struct InstallationKeyTests {
    /// 32 bytes, of which some have letters.
    private static let identifier = String(repeating: "c162ef01", count: 8)

    @Test(arguments: [0, 16, 31, 33, 64])
    func `a key has thirty-two bytes`(count: Int) {
        #expect(InstallationKey(SecretBytes([UInt8](repeating: 1, count: count))) == nil)
    }

    @Test func `what recognises a request is keyed and depends on every byte`() throws {
        let key = try InstallationKey.test
        let other = try #require(InstallationKey(SecretBytes([UInt8](repeating: 1, count: 32))))
        let parameters = SecretText("parameters")
        #expect(key.fingerprint(ofParameters: parameters).count == 32)
        #expect(key.fingerprint(ofParameters: parameters) == key.fingerprint(ofParameters: SecretText("parameters")))
        #expect(key.fingerprint(ofParameters: parameters) != other.fingerprint(ofParameters: parameters))
        #expect(key.fingerprint(ofParameters: parameters) != key.fingerprint(ofParameters: SecretText("parameterz")))
        #expect(key.fingerprint(ofParameters: parameters) != SHA256.hash(Array("parameters".utf8)))
    }

    @Test func `what recognises a token is never what recognises a request`() throws {
        let key = try InstallationKey.test
        let identifier = try #require(
            TransactionIdentifier(hexadecimal: Array(String(repeating: "61", count: 32).utf8)))
        let parameters = SecretText(String(repeating: "a", count: 32))
        #expect(key.digest(of: identifier) != key.fingerprint(ofParameters: parameters))
    }

    @Test func `a token's identifier is recognised in either letter case`() throws {
        let key = try InstallationKey.test
        let lower = try #require(TransactionIdentifier(hexadecimal: Self.identifier.utf8))
        let upper = try #require(TransactionIdentifier(hexadecimal: Self.identifier.uppercased().utf8))
        #expect(key.digest(of: lower) == key.digest(of: upper))
    }

    @Test func `the codes are those of earlier versions`() throws {
        // What lies in a database must be recognised by every later program. Python:
        // hmac.new(bytes(range(32)), purpose + b"\0" + sha256(text).digest(), "sha256").hexdigest()
        let key = try InstallationKey.test
        #expect(
            Hexadecimal.encoded(key.fingerprint(ofParameters: SecretText("parameters")))
                == "ffbcbcda5a3f5abd59d1e34cbc19bd823a8e4a2875a42eead7e7363db4e901aa")
        let identifier = try #require(TransactionIdentifier(hexadecimal: Self.identifier.utf8))
        #expect(
            Hexadecimal.encoded(key.digest(of: identifier))
                == "779e96835f389256ed51b4e4d38f8c8bebd8291019d857a1c3c38e52f17d2229")
    }
}
