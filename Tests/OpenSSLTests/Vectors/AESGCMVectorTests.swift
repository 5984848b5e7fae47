import OpenSSL
import Testing
import Values

struct AESGCMVectorTests {
    private typealias Vector = AESGCMVector

    private static func open(_ vector: Vector, _ sealed: [UInt8]) throws(OpenSSLError) -> SecretBytes {
        try AESGCM.open(
            sealed, key: SecretBytes(hex(vector.key)), iv: hex(vector.iv), associatedData: hex(vector.associatedData))
    }

    @Test(arguments: AESGCMVector.nist + AESGCMVector.longIVs + AESGCMVector.otherIVs)
    func `a sealed text opens to the known answer, or not at all`(vector: AESGCMVector) throws {
        if let plaintext = vector.plaintext {
            #expect(try Self.open(vector, hex(vector.sealed)) == SecretBytes(hex(plaintext)))
            let sealed = try hex(plaintext).withUnsafeBytes {
                try AESGCM.seal(
                    $0, key: SecretBytes(hex(vector.key)), iv: hex(vector.iv),
                    associatedData: hex(vector.associatedData))
            }
            #expect(sealed == hex(vector.sealed))
        } else {
            #expect(throws: OpenSSLError.notAuthentic) { try Self.open(vector, hex(vector.sealed)) }
        }
    }

    @Test func `no vector is lost, good or bad`() {
        let lists = [Vector.nist, Vector.longIVs, Vector.otherIVs]
        #expect(lists.map { $0.filter { $0.plaintext != nil }.count } == [12, 20, 13])
        #expect(lists.map { $0.filter { $0.plaintext == nil }.count } == [12, 0, 0])
    }

    @Test(arguments: AESGCMVector.longIVs)
    func `every bit of the tag counts, alone and with others`(vector: AESGCMVector) {
        let sealed = hex(vector.sealed)
        let tagStart = sealed.count - AESGCM.tagByteCount
        for bit in 0..<128 {
            var altered = sealed
            altered[tagStart + bit / 8] ^= 1 << (bit % 8)
            #expect(throws: OpenSSLError.notAuthentic, "bit \(bit)") { try Self.open(vector, altered) }
        }
        for mask in [[0x80, 0x80], [0xFF, 0xFF], [0x01, 0x00]] as [[UInt8]] {
            let altered = sealed[..<tagStart] + (0..<16).map { sealed[tagStart + $0] ^ mask[$0 % 2] }
            #expect(throws: OpenSSLError.notAuthentic) { try Self.open(vector, Array(altered)) }
        }
        for tag in [[UInt8](repeating: 0, count: 16), [UInt8](repeating: 0xFF, count: 16)] {
            #expect(throws: OpenSSLError.notAuthentic) { try Self.open(vector, sealed[..<tagStart] + tag) }
        }
    }

    /// A tag of 4 to 15 bytes is lawful in SP 800-38D §5.2.1.2 and not here.
    @Test(arguments: AESGCMVector.longIVs)
    func `a truncated tag is refused, and so is a text cut or lengthened anywhere`(vector: AESGCMVector) {
        let sealed = hex(vector.sealed)
        for count in sealed.indices {
            #expect(throws: OpenSSLError.notAuthentic) { try Self.open(vector, Array(sealed[..<count])) }
            #expect(throws: OpenSSLError.notAuthentic) { try Self.open(vector, Array(sealed[(count + 1)...])) }
            #expect(throws: OpenSSLError.notAuthentic) {
                try Self.open(vector, sealed[...count] + Array(sealed[count...]))
            }
        }
        #expect(throws: OpenSSLError.notAuthentic) { try Self.open(vector, sealed + [0]) }
        #expect(throws: OpenSSLError.notAuthentic) { try Self.open(vector, [0] + sealed) }
    }

    @Test(arguments: AESGCMVector.longIVs)
    func `an IV of zeros is not one of another length`(vector: AESGCMVector) {
        for count in [1, 8, 12, 15, 17, 32, 128] {
            #expect(throws: OpenSSLError.notAuthentic) {
                try AESGCM.open(
                    hex(vector.sealed), key: SecretBytes(hex(vector.key)), iv: [UInt8](repeating: 0, count: count))
            }
        }
    }

    @Test(arguments: AESGCMVector.otherIVs)
    func `every byte of an IV counts, and so does its length`(vector: AESGCMVector) {
        let iv = hex(vector.iv)
        let key = SecretBytes(hex(vector.key))
        for index in iv.indices {
            var other = iv
            other[index] ^= 0x80
            #expect(throws: OpenSSLError.notAuthentic) { try AESGCM.open(hex(vector.sealed), key: key, iv: other) }
        }
        for other in [iv.dropLast(), [0] + iv, iv + [0]] where (1...128).contains(other.count) {
            #expect(throws: OpenSSLError.notAuthentic) {
                try AESGCM.open(hex(vector.sealed), key: key, iv: Array(other))
            }
        }
    }

    @Test func `half a key of 32 bytes is not the key of 16`() throws {
        for vector in Vector.longIVs where vector.key.count == 64 {
            let half = SecretBytes(Array(hex(vector.key)[..<16]))
            #expect(throws: OpenSSLError.notAuthentic) {
                try AESGCM.open(hex(vector.sealed), key: half, iv: hex(vector.iv))
            }
        }
    }
}
