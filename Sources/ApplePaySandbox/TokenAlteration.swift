internal import OpenSSL

/// Changes to a token in the making, each at the stage of the minting where it belongs; most change one stage.
///
/// What is changed before the signature is signed with the rest, so that only the step that the change concerns refuses
/// the token; what is changed behind it breaks the signature.
struct TokenAlteration: Sendable {
    /// What the token is to hold.
    var order: @Sendable (inout MintOrder) -> Void = { _ in }
    /// The payment data's JSON, before encryption.
    var plaintext: @Sendable (inout [UInt8]) -> Void = { _ in }
    /// Whom the token is encrypted to, and by which hash it names the key.
    var recipient: @Sendable (inout TokenMint.Recipient) -> Void = { _ in }
    /// What is signed, after encryption.
    var content: @Sendable (inout SignedContent) -> Void = { _ in }
    /// Who signs.
    var signer: @Sendable (inout TokenSigner) throws(OpenSSLError) -> Void = { _ in }
    /// What is signed besides the content.
    var attributes: @Sendable (inout SignerAttributes) -> Void = { _ in }
    /// The signature, before it is encoded.
    var signature: @Sendable (inout SignatureDraft) -> Void = { _ in }
    /// The encoded signature.
    var encodedSignature: @Sendable (inout [UInt8]) -> Void = { _ in }
    /// The members of the finished token.
    var token: @Sendable (inout TokenDraft) -> Void = { _ in }
}
