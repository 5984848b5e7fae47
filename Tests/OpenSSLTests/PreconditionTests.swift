import OpenSSL
import Testing
import Values

/// What only a mistake of our own can ask for stops the program instead of going on with it.
struct PreconditionTests {
    @Test func `AES has keys of 16 or 32 bytes`() async {
        await #expect(processExitsWith: .failure) {
            _ = try AESGCM.open([UInt8](repeating: 0, count: 16), key: SecretBytes([1]), iv: [0])
        }
    }

    @Test func `an IV has 1 to 128 bytes`() async {
        await #expect(processExitsWith: .failure) {
            let key = SecretBytes([UInt8](repeating: 1, count: 16))
            _ = try AESGCM.open([UInt8](repeating: 0, count: 16), key: key, iv: [])
        }
        await #expect(processExitsWith: .failure) {
            let key = SecretBytes([UInt8](repeating: 1, count: 16))
            let iv = [UInt8](repeating: 0, count: 129)
            _ = try AESGCM.open([UInt8](repeating: 0, count: 16), key: key, iv: iv)
        }
    }

    @Test func `an RSA key has 2048 bits at least`() async {
        await #expect(processExitsWith: .failure) { _ = try PrivateKey.generateRSA(bits: 1024) }
    }
}
