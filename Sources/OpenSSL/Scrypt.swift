internal import COpenSSL
public import Values

/// The password-based key derivation of RFC 7914, which costs time and memory on purpose.
public struct Scrypt: Hashable, Sendable {
    /// N, the cost: a power of two. A derivation needs 128 · N · r bytes of memory.
    public let cost: Int
    /// r, the size of a block in units of 128 bytes.
    public let blockSize: Int
    /// p, how often the memory is gone through.
    public let parallelization: Int

    /// The most memory that a derivation may need, in bytes: 64 MiB.
    public static let memoryBytesMax = 64 << 20
    /// The most blocks that a derivation may go through, N · r · p; 2²⁰ of them take some 0.4 s on a machine of 2020.
    public static let blocksMax = 1 << 20

    /// Parameters, or nil if RFC 7914 §2 doesn't allow them, or they cost more than a gateway should ever pay.
    public init?(cost: Int, blockSize: Int, parallelization: Int) {
        guard cost > 1, cost & (cost - 1) == 0, blockSize > 0, parallelization > 0, cost <= Self.blocksMax,
            blockSize <= Self.blocksMax, parallelization <= Self.blocksMax,
            // Three factors of 2²⁰ at most have a product of 2⁶⁰ at most.
            128 * cost * blockSize <= Self.memoryBytesMax, cost * blockSize * parallelization <= Self.blocksMax
        else { return nil }
        self.cost = cost
        self.blockSize = blockSize
        self.parallelization = parallelization
    }

    /// Derives 32 bytes from a password.
    ///
    /// - Throws: OpenSSL's error if there is not enough memory.
    public func key(password: UnsafeRawBufferPointer, salt: [UInt8]) throws(OpenSSLError) -> SecretBytes {
        try SecretBytes(count: 32) { (key) throws(OpenSSLError) in
            // OpenSSL counts what lies beside the large table, too.
            let isDerived = EVP_PBE_scrypt(
                password.baseAddress?.assumingMemoryBound(to: CChar.self), password.count, salt, salt.count,
                UInt64(cost), UInt64(blockSize), UInt64(parallelization), UInt64(2 * Self.memoryBytesMax),
                key.baseAddress?.assumingMemoryBound(to: UInt8.self), key.count)
            guard isDerived == 1 else { throw .last("EVP_PBE_scrypt") }
        }
    }
}
