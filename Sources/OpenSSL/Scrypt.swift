internal import COpenSSL
public import Values

/// The password-based key derivation function scrypt (RFC 7914), which is intentionally expensive in time and memory.
public struct Scrypt: Hashable, Sendable {
    /// N, the cost: a power of two. A derivation needs 128 · N · r bytes of memory.
    public let cost: Int
    /// r, the size of a block in units of 128 bytes.
    public let blockSize: Int
    /// p, the number of passes over the memory.
    public let parallelization: Int

    /// The maximum memory of a derivation, in bytes: 64 MiB.
    public static let memoryBytesMax = 64 << 20
    /// The maximum number of processed blocks, N · r · p. 2²⁰ blocks take about 0.4 s on a machine of 2020.
    public static let blocksMax = 1 << 20

    /// Creates parameters; nil if RFC 7914 §2 doesn't allow them, or they exceed the maximum memory or number of
    /// blocks.
    public init?(cost: Int, blockSize: Int, parallelization: Int) {
        guard cost > 1, cost & (cost - 1) == 0, blockSize > 0, parallelization > 0, cost <= Self.blocksMax,
            blockSize <= Self.blocksMax, parallelization <= Self.blocksMax,
            // The product can't overflow: three factors of at most 2²⁰ have a product of at most 2⁶⁰.
            128 * cost * blockSize <= Self.memoryBytesMax, cost * blockSize * parallelization <= Self.blocksMax
        else { return nil }
        self.cost = cost
        self.blockSize = blockSize
        self.parallelization = parallelization
    }

    /// Derives 32 bytes from a password.
    ///
    /// - Throws: OpenSSL's error when out of memory.
    public func key(password: UnsafeRawBufferPointer, salt: [UInt8]) throws(OpenSSLError) -> SecretBytes {
        try SecretBytes(count: 32) { (key) throws(OpenSSLError) in
            // OpenSSL also counts the memory in addition to the large table.
            let isDerived = EVP_PBE_scrypt(
                password.baseAddress?.assumingMemoryBound(to: CChar.self), password.count, salt, salt.count,
                UInt64(cost), UInt64(blockSize), UInt64(parallelization), UInt64(2 * Self.memoryBytesMax),
                key.baseAddress?.assumingMemoryBound(to: UInt8.self), key.count)
            guard isDerived == 1 else { throw .last("EVP_PBE_scrypt") }
        }
    }
}
