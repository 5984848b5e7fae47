internal import OpenSSL

/// Changes to a token while it is minted, each applied at its stage. Most alterations change one stage.
///
/// A change before signing is covered by the signature, so only the step that checks the changed part refuses the
/// token. A change after signing invalidates the signature.
struct TokenAlteration: Sendable {
    /// The token's contents.
    var order: @Sendable (inout MintOrder) -> Void = { _ in }
    /// The payment data's JSON, before encryption.
    var plaintext: @Sendable (inout [UInt8]) -> Void = { _ in }
    /// The key that the token is encrypted to, and its hash.
    var recipient: @Sendable (inout TokenMint.Recipient) -> Void = { _ in }
    /// The signed content, after encryption.
    var content: @Sendable (inout SignedContent) -> Void = { _ in }
    /// The signer.
    var signer: @Sendable (inout TokenSigner) throws(OpenSSLError) -> Void = { _ in }
    /// The signed attributes.
    var attributes: @Sendable (inout SignerAttributes) -> Void = { _ in }
    /// The signature, before it is encoded.
    var signature: @Sendable (inout SignatureDraft) -> Void = { _ in }
    /// The encoded signature.
    var encodedSignature: @Sendable (inout [UInt8]) -> Void = { _ in }
    /// The members of the finished token.
    var token: @Sendable (inout TokenDraft) -> Void = { _ in }
}
