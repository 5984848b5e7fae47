import Testing

/// The modulus and exponent of an RSA public key, and RSAEP (RFC 8017 §5.1.1) over them.
struct RSAPublicNumbers {
    /// n, the highest byte first and without a leading zero.
    let modulus: [UInt8]
    let exponent: UInt64

    /// Reads `SubjectPublicKeyInfo` (RFC 5280 §4.1.2.7) that holds an `RSAPublicKey` (RFC 8017 §A.1.1).
    init(subjectPublicKeyInfo der: [UInt8]) throws {
        var input = der[...]
        var information = try Self.content(of: 0x30, from: &input)
        _ = try Self.content(of: 0x30, from: &information)
        // A bit string begins with the count of its unused bits.
        var bits = try Self.content(of: 0x03, from: &information).dropFirst()
        var numbers = try Self.content(of: 0x30, from: &bits)
        modulus = Array(try Self.content(of: 0x02, from: &numbers).drop { $0 == 0 })
        exponent = try Self.content(of: 0x02, from: &numbers).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Takes one DER value off the front (X.690 §8.1).
    private static func content(of tag: UInt8, from input: inout ArraySlice<UInt8>) throws -> ArraySlice<UInt8> {
        try #require(input.first == tag && input.count >= 2)
        var count = Int(input[input.startIndex + 1])
        input = input.dropFirst(2)
        if count >= 0x80 {
            let length = input.prefix(count - 0x80)
            input = input.dropFirst(length.count)
            count = length.reduce(0) { $0 << 8 | Int($1) }
        }
        defer { input = input.dropFirst(count) }
        return input.prefix(count)
    }

    /// `messageᵉ mod n`, as many bytes as the modulus has, which are a multiple of 8. The message is below the modulus.
    func encrypt(_ message: [UInt8]) -> [UInt8] {
        precondition(message.count <= modulus.count && modulus.count.isMultiple(of: 8), "RFC 8017 §5.1.1 step 1")
        let power = Natural(bytes: message, count: modulus.count / 8)
            .power(exponent, modulo: Natural(bytes: modulus, count: modulus.count / 8))
        return power.bytes
    }
}

/// A natural number of some count of 64-bit limbs, the lowest first.
struct Natural: Equatable {
    private(set) var limbs: [UInt64]

    init(limbs: [UInt64]) { self.limbs = limbs }

    /// From bytes, the highest first.
    init(bytes: [UInt8], count: Int) {
        limbs = [UInt64](repeating: 0, count: count)
        for (place, byte) in bytes.reversed().enumerated() { limbs[place / 8] |= UInt64(byte) << (place % 8 * 8) }
    }

    /// The highest first.
    var bytes: [UInt8] {
        limbs.reversed().flatMap { limb in (0..<8).reversed().map { UInt8(truncatingIfNeeded: limb >> ($0 * 8)) } }
    }

    /// This number to a power, by squaring for each bit of the exponent from the highest.
    func power(_ exponent: UInt64, modulo modulus: Natural) -> Natural {
        precondition(exponent > 0 && isBelow(modulus), "a residue")
        var power = self
        for bit in (0..<(63 - exponent.leadingZeroBitCount)).reversed() {
            power = power.multiplied(by: power, modulo: modulus)
            if exponent >> bit & 1 == 1 { power = power.multiplied(by: self, modulo: modulus) }
        }
        return power
    }

    /// The product by the schoolbook, and what it leaves when divided limb by limb. The modulus' highest limb is not zero.
    func multiplied(by other: Natural, modulo modulus: Natural) -> Natural {
        var product = [UInt64](repeating: 0, count: limbs.count * 2)
        for (place, limb) in limbs.enumerated() {
            var carry: UInt64 = 0
            for (otherPlace, otherLimb) in other.limbs.enumerated() {
                // (2⁶⁴ - 1)² + 2 · (2⁶⁴ - 1) is below 2¹²⁸.
                let sum =
                    UInt128(limb) * UInt128(otherLimb) + UInt128(product[place + otherPlace]) + UInt128(carry)
                product[place + otherPlace] = UInt64(truncatingIfNeeded: sum)
                carry = UInt64(truncatingIfNeeded: sum >> 64)
            }
            product[place + limbs.count] = carry
        }
        let divisor = Natural(limbs: modulus.limbs + [0])
        let above = UInt128(modulus.limbs[limbs.count - 1]) + 1
        precondition(above > 1, "the highest limb is the first part of the quotient's estimate")
        var remainder = Natural(limbs: [UInt64](repeating: 0, count: limbs.count + 1))
        for limb in product.reversed() {
            remainder.limbs.removeLast()
            remainder.limbs.insert(limb, at: 0)
            // Of the highest limbs alone and rounded down: never more than the quotient, so that nothing is borrowed.
            while case let quotient = remainder.highest / above, quotient > 0 {
                remainder.subtract(divisor, times: UInt64(quotient))
            }
            while !remainder.isBelow(divisor) { remainder.subtract(divisor) }
        }
        return Natural(limbs: remainder.limbs.dropLast())
    }

    /// The two highest limbs as one number.
    private var highest: UInt128 { UInt128(limbs[limbs.count - 1]) << 64 | UInt128(limbs[limbs.count - 2]) }

    /// Whether the number is less than another of as many limbs.
    func isBelow(_ other: Natural) -> Bool {
        for place in limbs.indices.reversed() where limbs[place] != other.limbs[place] {
            return limbs[place] < other.limbs[place]
        }
        return false
    }

    /// The sum with another number of as many limbs; nil if it needs one more.
    func adding(_ other: Natural) -> Natural? {
        var (sum, carry) = (self, UInt128(0))
        for place in limbs.indices {
            carry += UInt128(limbs[place]) + UInt128(other.limbs[place])
            sum.limbs[place] = UInt64(truncatingIfNeeded: carry)
            carry >>= 64
        }
        return carry == 0 ? sum : nil
    }

    /// Subtracts a multiple of another number of as many limbs, modulo 2 to the power of all their bits.
    mutating func subtract(_ other: Natural, times factor: UInt64 = 1) {
        var carry: UInt128 = 0
        for place in limbs.indices {
            carry += UInt128(other.limbs[place]) * UInt128(factor)
            let (limb, borrows) = limbs[place].subtractingReportingOverflow(UInt64(truncatingIfNeeded: carry))
            limbs[place] = limb
            carry = carry >> 64 + (borrows ? 1 : 0)
        }
    }
}
