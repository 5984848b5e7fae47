internal import Glibc
internal import OpenSSL
internal import Synchronization
internal import Values

/// A signer whose certificates and chain were accepted.
struct AcceptedSigner {
    let commonName: String
    let environment: TokenReport.Environment
    /// The signer's public key, for verification.
    let key: PublicKey
    /// The period in which leaf, intermediate and root are all valid, in seconds since 1970-01-01T00:00:00Z. The end is
    /// exclusive, as OpenSSL treats `notAfter` itself as expired (`X509_cmp_time`).
    let validSeconds: Range<Int64>
}

/// A cache of the signers that one trust policy accepted, keyed by the exact bytes of their certificates.
///
/// Apple signs every token with the same few certificates. The verdict on a chain stays the same until one of its
/// certificates expires, so the same bytes need no second verification. Only accepted signers are cached, so an
/// attacker's input uses no memory.
final class SignerCache: Sendable {
    /// The maximum number of signers, more than Apple has had since 2014. Beyond it, the oldest entry is evicted.
    static let countMax = 16

    private struct Entry {
        let version: PaymentToken.Version
        let signedData: SignedData
        let signer: AcceptedSigner

        func isOf(_ other: SignedData, _ version: PaymentToken.Version) -> Bool {
            self.version == version && signedData.signatureAlgorithm == other.signatureAlgorithm
                && hasSameBytes(\.signerSerialNumberRange, other) && hasSameBytes(\.signerIssuerRange, other)
                && hasSameBytes(\.certificatesRange, other)
        }

        /// Uses `memcmp`, because the standard library compares element by element.
        private func hasSameBytes(_ range: (SignedData) -> Range<Int>, _ other: SignedData) -> Bool {
            signedData.bytes[range(signedData)].withUnsafeBytes { own in
                other.bytes[range(other)].withUnsafeBytes { others in
                    // Two empty ranges are equal, but name no signer.
                    guard own.count == others.count, let first = own.baseAddress, let second = others.baseAddress
                    else { return false }
                    return memcmp(first, second, own.count) == 0
                }
            }
        }
    }

    private let entries = Mutex<[Entry]>([])

    /// The cached signer of a signature; nil if there is none, or if its certificates were not valid at the signing
    /// time.
    func signer(of signedData: SignedData, version: PaymentToken.Version) -> AcceptedSigner? {
        let entry = entries.withLock { $0.first { $0.isOf(signedData, version) } }
        guard let signer = entry?.signer, signer.validSeconds.contains(signedData.signingTime.secondsSinceEpoch) else {
            return nil
        }
        return signer
    }

    /// Caches an accepted signer.
    func remember(_ signer: AcceptedSigner, of signedData: SignedData, version: PaymentToken.Version) {
        let entry = Entry(version: version, signedData: signedData, signer: signer)
        entries.withLock { entries in
            guard !entries.contains(where: { $0.isOf(signedData, version) }) else { return }
            if entries.count == Self.countMax { entries.removeFirst() }
            entries.append(entry)
        }
    }
}
