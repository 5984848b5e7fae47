/// The DER encoding of a P-256 public key (RFC 5480 §2): 91 bytes, of which the first 26 are constant.
enum P256SubjectPublicKeyInfo {
    private static let prefix: [UInt8] = [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48,
        0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
    ]

    /// The uncompressed point, 65 bytes. Nil for any other structure or curve, explicit parameters, or a compressed
    /// point.
    static func point(of der: [UInt8]) -> [UInt8]? {
        guard der.count == 91, der.starts(with: prefix), der[26] == 0x04 else { return nil }
        return Array(der[26...])
    }
}
