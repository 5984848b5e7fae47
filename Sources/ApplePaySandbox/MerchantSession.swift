internal import ApplePay
public import JSON
public import OpenSSL
public import Values

/// A merchant session: Apple's permission for one merchant to open one payment sheet on one domain, signed by the local
/// authority.
///
/// Apple documents the members, but not the content that the signature covers. Here it covers the JSON text of all
/// other members, in ascending order of their names and without white space.
///
/// - Source: Apple Pay on the Web, "Requesting an Apple Pay payment session", and recorded sessions.
public struct MerchantSession: Sendable, Equatable {
    /// `merchantSessionIdentifier`: `SSH`, 32 hexadecimal digits, `_`, and 64 more.
    public let identifier: String
    /// SHA-256 of the merchant identifier, 32 bytes.
    public let merchantIdentifierHash: [UInt8]
    /// The host name of the page that may use the session, in lower case.
    public let domainName: String
    /// The merchant's name on the payment sheet.
    public let displayName: String
    /// The time of issue, by the gateway's clock.
    public let issued: Instant

    /// The validity of a session, in milliseconds. Apple's guide says five minutes, although `expiresAt` is an hour
    /// after `epochTimestamp` in every recorded session.
    public static let validityMilliseconds: Int64 = 300_000
    private static let statedValidityMilliseconds: Int64 = 3_600_000

    /// Why a JSON value is not a session of this authority.
    public enum Fault: Error, Equatable, Sendable {
        /// A member is absent or malformed.
        case member(String)
        /// The signature is not a signature of the authority over these members.
        case signature
    }

    /// Creates a session with a random identifier.
    public init(merchantIdentifierHash: [UInt8], domainName: String, displayName: String, at instant: Instant) {
        precondition(merchantIdentifierHash.count == SHA256.byteCount, "SHA-256 yields 32 bytes")
        let random = Hexadecimal.encoded(RandomBytes.generate(48)).uppercased()
        identifier = "SSH\(random.prefix(32))_\(random.dropFirst(32))"
        self.merchantIdentifierHash = merchantIdentifierHash
        self.domainName = domainName
        self.displayName = displayName
        issued = instant
    }

    /// The signed session as JSON, in the form of Apple's server.
    ///
    /// - Precondition: the session was issued in a year of ``MintSpecification/yearsOfSigning``.
    public func signed(by authority: LocalAuthority) throws(OpenSSLError) -> JSONValue {
        let hash = Hexadecimal.encoded(merchantIdentifierHash).uppercased()
        var members: JSONObject = [
            "displayName": .string(displayName), "domainName": .string(domainName),
            "epochTimestamp": .number(JSONNumber(issued.millisecondsSinceEpoch)),
            "expiresAt": .number(
                JSONNumber(issued.millisecondsSinceEpoch + Self.statedValidityMilliseconds)),
            "merchantIdentifier": .string(hash), "merchantSessionIdentifier": .string(identifier),
            "nonce": .string(Hexadecimal.encoded(RandomBytes.generate(4))),
            "operationalAnalyticsIdentifier": .string("\(displayName):\(hash)"), "pspId": .string(hash), "retries": 0,
        ]
        let signer = TokenSigner(authority, of: .ellipticCurve, at: issued)
        let attributes = SignerAttributes(
            messageDigest: SHA256.hash(JSONValue.object(members).serialized()), signingTime: issued,
            signatureAlgorithm: signer.signatureAlgorithm)
        members["signature"] = .string(Hexadecimal.encoded(try SignatureDraft(attributes, by: signer).ber))
        return .object(members)
    }

    /// Reads a session and verifies its signature. Whether it has expired or was used before is not checked.
    public init(_ json: JSONValue, signedBy authority: LocalAuthority) throws(Fault) {
        guard case .object(var members) = json else { throw .member("merchantSession") }
        func text(_ name: String) throws(Fault) -> String {
            guard case .string(let text) = members[name], !text.isEmpty else { throw .member(name) }
            return text
        }
        identifier = try text("merchantSessionIdentifier")
        guard let hash = Hexadecimal.decoded(try text("merchantIdentifier").utf8), hash.count == SHA256.byteCount else {
            throw .member("merchantIdentifier")
        }
        merchantIdentifierHash = hash
        domainName = try text("domainName")
        displayName = try text("displayName")
        guard case .number(let number) = members["epochTimestamp"], let milliseconds = Int64(number.text) else {
            throw .member("epochTimestamp")
        }
        issued = Instant(millisecondsSinceEpoch: milliseconds)
        guard let signature = Hexadecimal.decoded(try text("signature").utf8) else { throw .member("signature") }
        members["signature"] = nil
        guard let signed = try? SignedData(ber: signature),
            signed.isSigned(by: authority.signer.certificate, over: JSONValue.object(members).serialized())
        else { throw .signature }
    }

    /// Whether the session is expired, or not yet valid, by the gateway's clock.
    public func isExpired(at now: Instant) -> Bool {
        let age = now.millisecondsSinceEpoch - issued.millisecondsSinceEpoch
        return !(0...Self.validityMilliseconds).contains(age)
    }
}
