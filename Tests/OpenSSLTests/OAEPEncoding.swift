import OpenSSL

/// EME-OAEP (RFC 8017 §7.1.1 step 2) with SHA-256 as its only primitive, every part of which can be made otherwise.
struct OAEPEncoding {
    /// Of the label, and of the block that the mask is cut from.
    typealias Hash = ([UInt8]) -> [UInt8]

    /// What the label is hashed with.
    var labelHash: Hash = { SHA256.hash($0) }
    /// What the mask function hashes with.
    var maskHash: Hash = { SHA256.hash($0) }
    /// L, empty as `RSA_v1` has it.
    var label: [UInt8] = []
    /// C of MGF1 (RFC 8017 §B.2.1 step 3a) for the block of this number: four bytes, the highest first.
    var counter: (UInt8) -> [UInt8] = { [0, 0, 0, $0] }
    /// Whether the data block is masked, step 2f.
    var masksBlock = true
    /// Whether the seed is masked, step 2h.
    var masksSeed = true
    /// A change of DB, which is the label's hash, PS, 0x01 and the message, before it is masked.
    var alterBlock: (inout [UInt8]) -> Void = { _ in }
    /// A change of EM, which is 0x00, the masked seed and the masked block.
    var alterEncoded: (inout [UInt8]) -> Void = { _ in }

    /// EM: as many bytes as the modulus has.
    func encode(_ message: [UInt8], seed: [UInt8], modulusByteCount: Int = 256) -> [UInt8] {
        let hashed = labelHash(label)
        let paddingCount = modulusByteCount - message.count - hashed.count - seed.count - 2
        precondition(paddingCount >= 0, "RFC 8017 §7.1.1 step 1b: the message is too long")
        var block = hashed + [UInt8](repeating: 0, count: paddingCount) + [1] + message
        alterBlock(&block)
        let maskedBlock = masksBlock ? Self.xor(block, mask(seed, count: block.count)) : block
        let maskedSeed = masksSeed ? Self.xor(seed, mask(maskedBlock, count: seed.count)) : seed
        var encoded = [0] + maskedSeed + maskedBlock
        alterEncoded(&encoded)
        return encoded
    }

    /// MGF1 (RFC 8017 §B.2.1).
    func mask(_ seed: [UInt8], count: Int) -> [UInt8] {
        var mask: [UInt8] = []
        var number: UInt8 = 0
        while mask.count < count {
            mask += maskHash(seed + counter(number))
            number += 1
        }
        return Array(mask.prefix(count))
    }

    private static func xor(_ one: [UInt8], _ other: [UInt8]) -> [UInt8] {
        zip(one, other).map { $0 ^ $1 }
    }
}
