import OpenSSL
import Testing

/// One respect in which an encoding differs from EME-OAEP with SHA-256, MGF1 with SHA-256 and no label.
struct OAEPDefect: Sendable, CustomTestStringConvertible {
    let testDescription: String
    private let apply: @Sendable (inout OAEPEncoding) -> Void

    private init(_ name: String, _ apply: @escaping @Sendable (inout OAEPEncoding) -> Void) {
        testDescription = name
        self.apply = apply
    }

    /// The encoding with the defect.
    var encoding: OAEPEncoding {
        var encoding = OAEPEncoding()
        apply(&encoding)
        return encoding
    }

    static let all: [OAEPDefect] = hashes + masks + blocks + encoded

    private static let hashes: [OAEPDefect] = [
        .init("the label Apple") { $0.label = "Apple".bytes },
        .init("the label of one zero byte") { $0.label = [0] },
        .init("a label hashed with another function") { $0.labelHash = twice },
        .init("a mask of another function") { $0.maskHash = twice },
        .init("another function throughout") {
            $0.labelHash = twice
            $0.maskHash = twice
        },
    ]

    private static let masks: [OAEPDefect] = [
        .init("a mask that counts from 1") { $0.counter = { [0, 0, 0, $0 + 1] } },
        .init("a mask that counts with the lowest byte first") { $0.counter = { [$0, 0, 0, 0] } },
        .init("a mask that counts with one byte") { $0.counter = { [$0] } },
        .init("a mask that does not count") { $0.counter = { _ in [0, 0, 0, 0] } },
        .init("the seed not masked") { $0.masksSeed = false },
        .init("the data block not masked") { $0.masksBlock = false },
        .init("nothing masked") {
            $0.masksSeed = false
            $0.masksBlock = false
        },
    ]

    /// A data block is 32 bytes of hash, the padding PS, the separator and the message; these are for one of 16 bytes.
    private static let blocks: [OAEPDefect] = [
        .init("a label hash of zeros") { $0.alterBlock = { $0.replaceSubrange(..<32, with: zeros(32)) } },
        .init("the first bit of the label hash altered") { $0.alterBlock = { $0[0] ^= 0x80 } },
        .init("the last bit of the label hash altered") { $0.alterBlock = { $0[31] ^= 0x01 } },
        .init("padding that begins with 2") { $0.alterBlock = { $0[32] = 2 } },
        .init("padding that ends with 0x80") { $0.alterBlock = { $0[$0.count - 18] = 0x80 } },
        .init("padding of 0xFF") {
            $0.alterBlock = { block in block.indices.dropFirst(32).dropLast(17).forEach { block[$0] = 0xFF } }
        },
        .init("the separator 0") { $0.alterBlock = { $0[$0.count - 17] = 0 } },
        .init("the separator 2") { $0.alterBlock = { $0[$0.count - 17] = 2 } },
        .init("no separator, zeros to the end") {
            $0.alterBlock = { $0.replaceSubrange(32..., with: zeros($0.count - 32)) }
        },
    ]

    /// An encoding is a zero, 32 bytes of masked seed and 223 of masked block. No modulus of 2048 bits is below the
    /// encoding that begins with 0x7F.
    private static let encoded: [OAEPDefect] = [
        .init("the first byte 1") { $0.alterEncoded = { $0[0] = 1 } },
        .init("the first byte 2") { $0.alterEncoded = { $0[0] = 2 } },
        .init("the first byte 127") { $0.alterEncoded = { $0[0] = 0x7F } },
        .init("a bit of the masked seed altered") { $0.alterEncoded = { $0[32] ^= 0x01 } },
        .init("a bit of the masked block altered") { $0.alterEncoded = { $0[33] ^= 0x80 } },
        .init("the last bit altered") { $0.alterEncoded = { $0[255] ^= 0x01 } },
        .init("the seed after the block") {
            $0.alterEncoded = { $0 = [0] + Array($0[33...]) + Array($0[1..<33]) }
        },
    ]

    /// A hash of 32 bytes that is not SHA-256.
    @Sendable private static func twice(_ bytes: [UInt8]) -> [UInt8] { SHA256.hash(SHA256.hash(bytes)) }
    private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
}
