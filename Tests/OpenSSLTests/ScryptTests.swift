import OpenSSL
import Testing
import Values

struct ScryptTests {
    /// RFC 7914 §12, of each vector the first 32 bytes; PBKDF2 gives them as the first block of the longer ones.
    @Test(arguments: [
        ("", "", 16, 1, 1, "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"),
        ("password", "NaCl", 1024, 8, 16, "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"),
        (
            "pleaseletmein", "SodiumChloride", 16384, 8, 1,
            "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
        ),
    ])
    func `the vectors of RFC 7914 are met`(
        password: String, salt: String, cost: Int, blockSize: Int, parallelization: Int, key: String
    ) throws {
        let scrypt = try #require(Scrypt(cost: cost, blockSize: blockSize, parallelization: parallelization))
        let derived = try Array(password.utf8).withUnsafeBytes { try scrypt.key(password: $0, salt: Array(salt.utf8)) }
        #expect(derived == SecretBytes(hex(key)))
    }

    @Test(arguments: [
        (0, 8, 1), (1, 8, 1), (3, 8, 1), (-2, 8, 1), (16384, 0, 1), (16384, 8, 0), (16384, -8, -1),
        // More than 64 MiB, and more than 2²⁰ blocks.
        (1 << 17, 8, 1), (1 << 14, 8, 9), (.max, .max, .max), (1 << 62, 2, 2),
    ])
    func `parameters that are invalid or cost too much are refused`(cost: Int, blockSize: Int, parallelization: Int) {
        #expect(Scrypt(cost: cost, blockSize: blockSize, parallelization: parallelization) == nil)
    }
}
