import ApplePay
import Testing
import Values

/// What only a mistake of our own can ask for stops the program instead of going on with it.
struct PreconditionTests {
    @Test func `a key is derived from 32 bytes of secret and of merchant identifier hash alone`() async {
        await #expect(processExitsWith: .failure) {
            _ = KeyDerivation.key(
                sharedSecret: SecretBytes([UInt8](repeating: 1, count: 31)),
                merchantIdentifierHash: [UInt8](repeating: 1, count: 32))
        }
        await #expect(processExitsWith: .failure) {
            _ = KeyDerivation.key(
                sharedSecret: SecretBytes([UInt8](repeating: 1, count: 32)),
                merchantIdentifierHash: [UInt8](repeating: 1, count: 33))
        }
    }

    @Test func `no more of an account number than 6 and 4 digits is shown`() async {
        await #expect(processExitsWith: .failure) {
            _ = try AccountNumber("5123450000000008").masked(first: 7, last: 4)
        }
    }

    @Test func `a window is not negative`() async {
        await #expect(processExitsWith: .failure) {
            _ = TokenOpener(
                keys: [], trust: try TrustPolicy(anchors: [], acceptsAppleSandbox: false), windowSeconds: -1)
        }
    }
}
