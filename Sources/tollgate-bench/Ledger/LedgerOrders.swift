import Payments
import Values

/// The names of the orders that a store is loaded with, and the digests of the tokens that paid for them. Both are
/// numbered by rank: names in ascending order, digests in ascending order. They are spread evenly over all possible
/// values, as random ones are.
struct LedgerOrders: Sendable {
    let count: Int

    /// The distance between the mixed ranks of two successive numbers: a prime larger than any count here, so that each
    /// rank occurs exactly once.
    private static let stride: UInt64 = 4_294_967_291

    /// The name of a loaded order, 32 hexadecimal digits.
    func name(_ rank: Int) -> String {
        var chance = SeededGenerator(seed: UInt64(rank))
        return Self.hexadecimal(spread(rank), chance.next())
    }

    /// The digest of a loaded token, 32 bytes.
    func digest(_ rank: Int) -> [UInt8] {
        var chance = SeededGenerator(seed: UInt64(rank))
        return Self.bytes((spread(rank), chance.next(), chance.next(), chance.next()))
    }

    /// The rank of the order that was paid for with the token of a rank; also the rank of the nth order to be captured.
    func mixed(_ rank: Int) -> Int {
        let (high, low) = UInt64(rank).multipliedFullWidth(by: Self.stride)
        return Int(UInt64(count).dividingFullWidth((high, low)).remainder)
    }

    /// A random name, which no order has except by chance.
    static func newName(_ chance: inout SeededGenerator) -> String { hexadecimal(chance.next(), chance.next()) }

    /// A pseudorandom name for a number and a seed.
    static func newName(_ number: Int, seed: UInt64) -> String {
        var chance = SeededGenerator(seed: seed &+ UInt64(number) &* 0x9E6C_63D0_876A_9A47)
        return newName(&chance)
    }

    /// 32 random bytes, which no token or request has had before.
    static func newDigest(_ chance: inout SeededGenerator) -> [UInt8] {
        bytes((chance.next(), chance.next(), chance.next(), chance.next()))
    }

    private func spread(_ rank: Int) -> UInt64 {
        let step = UInt64.max / UInt64(count)
        var chance = SeededGenerator(seed: ~UInt64(rank))
        return UInt64(rank) * step + chance.next() % step
    }

    private static func hexadecimal(_ high: UInt64, _ low: UInt64) -> String {
        String(unsafeUninitializedCapacity: 32) { buffer in
            for digit in 0..<32 {
                let nibble = UInt8(truncatingIfNeeded: (digit < 16 ? high : low) >> (60 - digit % 16 * 4)) & 0xF
                buffer[digit] = nibble + (nibble < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
            }
            return 32
        }
    }

    private static func bytes(_ numbers: (UInt64, UInt64, UInt64, UInt64)) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
            let room = UnsafeMutableRawBufferPointer(buffer)
            room.storeBytes(of: numbers.0.bigEndian, toByteOffset: 0, as: UInt64.self)
            room.storeBytes(of: numbers.1.bigEndian, toByteOffset: 8, as: UInt64.self)
            room.storeBytes(of: numbers.2.bigEndian, toByteOffset: 16, as: UInt64.self)
            room.storeBytes(of: numbers.3.bigEndian, toByteOffset: 24, as: UInt64.self)
            count = 32
        }
    }
}
