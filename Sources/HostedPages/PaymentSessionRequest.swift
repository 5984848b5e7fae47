internal import Access
internal import HTTP
internal import JSON
internal import OpenSSL
internal import Values

/// A request for a merchant session, validated as Apple's server does.
///
/// Apple documents `paymentSession`; `startSession` is its predecessor. For their errors only the format and parts of the
/// wording are known; the remaining wording is ours.
struct PaymentSessionRequest {
    /// SHA-256 of the merchant identifier, 32 bytes.
    let merchantIdentifierHash: [UInt8]
    let domainName: String
    let displayName: String

    private static let displayNameCharactersMax = 64
    private static let domainBytesMax = 253

    /// Reads a request's content. Unknown members are ignored.
    init(_ content: WipedBuffer, of route: HostedRoute) throws(HostedFault) {
        let fields: HostedFields
        do throws(HostedFault) { fields = try HostedFields(content) } catch {
            throw .session("Invalid session request -- \(error.message)")
        }
        let identifier = try Self.text("merchantIdentifier", "merchant identifier", in: fields)
        displayName = try Self.text("displayName", "display name", in: fields)
        guard displayName.unicodeScalars.count <= Self.displayNameCharactersMax else {
            throw .session(
                "Invalid session request -- display name longer than \(Self.displayNameCharactersMax) characters")
        }
        let domain: String
        if route == .startSession {
            domain = try Self.text("domainName", "domain name", in: fields)
        } else {
            guard try Self.text("initiative", "initiative", in: fields) == "web" else {
                throw .session("Invalid session request -- the sandbox knows the initiative web alone")
            }
            domain = try Self.text("initiativeContext", "initiative context", in: fields)
        }
        domainName = domain.lowercased()
        guard domain.utf8.count <= Self.domainBytesMax, WebOrigin("https://\(domainName)")?.host == domainName else {
            throw .session("Invalid domain name -- name the host alone, without scheme, port and path")
        }
        // Apple accepts the identifier or its hash.
        if identifier.utf8.count == 2 * SHA256.byteCount, let hash = Hexadecimal.decoded(identifier.utf8) {
            merchantIdentifierHash = hash
        } else {
            merchantIdentifierHash = SHA256.hash(Array(identifier.utf8))
        }
    }

    private static func text(_ name: String, _ words: String, in fields: HostedFields) throws(HostedFault) -> String {
        let text: String?
        do throws(HostedFault) { text = try fields.string(name) } catch {
            throw .session("Invalid session request -- \(error.message)")
        }
        guard let text else { throw .session("Invalid session request -- missing \(words)") }
        return text
    }
}
