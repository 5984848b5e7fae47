internal import Glibc
internal import OpenSSL
internal import Synchronization
internal import Values

/// A signer whose certificates and chain were found good.
struct AcceptedSigner {
    let commonName: String
    let environment: TokenReport.Environment
    /// The signer's key, ready to verify with.
    let key: PublicKey
    /// The seconds since 1970-01-01T00:00:00Z at which leaf, intermediate and root are all valid, as OpenSSL judges it: to
    /// it `notAfter` itself is too late (`X509_cmp_time`).
    let validSeconds: Range<Int64>
}

/// Remembers the signers that one trust policy accepted, by the very bytes of their certificates.
///
/// Apple signs every token with the same few certificates. What is said of a chain is the same each time until one of its
/// certificates expires, so a signature that carries the same bytes needs no second look at them. Only accepted signers
/// are remembered: what an attacker sends takes no room.
final class AcceptedSigners: Sendable {
    /// More signers than Apple has had since 2014; beyond that the one that was remembered first is forgotten.
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

        /// Compares as memory; the standard library compares element by element.
        private func hasSameBytes(_ range: (SignedData) -> Range<Int>, _ other: SignedData) -> Bool {
            signedData.bytes[range(signedData)].withUnsafeBytes { own in
                other.bytes[range(other)].withUnsafeBytes { others in
                    // Nothing is like nothing, but names no signer.
                    guard own.count == others.count, let first = own.baseAddress, let second = others.baseAddress
                    else { return false }
                    return memcmp(first, second, own.count) == 0
                }
            }
        }
    }

    private let entries = Mutex<[Entry]>([])

    /// The signer of a signature, if it was accepted before and its certificates were valid at the signing time.
    func signer(of signedData: SignedData, version: PaymentToken.Version) -> AcceptedSigner? {
        let entry = entries.withLock { $0.first { $0.isOf(signedData, version) } }
        guard let signer = entry?.signer, signer.validSeconds.contains(signedData.signingTime.secondsSinceEpoch) else {
            return nil
        }
        return signer
    }

    /// Remembers a signer that was accepted.
    func remember(_ signer: AcceptedSigner, of signedData: SignedData, version: PaymentToken.Version) {
        let entry = Entry(version: version, signedData: signedData, signer: signer)
        entries.withLock { entries in
            guard !entries.contains(where: { $0.isOf(signedData, version) }) else { return }
            if entries.count == Self.countMax { entries.removeFirst() }
            entries.append(entry)
        }
    }
}
