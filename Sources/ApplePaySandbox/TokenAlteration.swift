internal import OpenSSL

/// Changes to a token in the making, each at the stage of the minting where it belongs; most change one stage.
///
/// What is changed before the signature is signed with the rest, so that only the step that the change concerns refuses
/// the token; what is changed behind it breaks the signature.
struct TokenAlteration {
    /// What the token is to hold.
    var order: (inout MintOrder) -> Void = { _ in }
    /// The payment data's JSON, before encryption.
    var plaintext: (inout [UInt8]) -> Void = { _ in }
    /// Whom the token is encrypted to, and by which hash it names the key.
    var recipient: (inout TokenMint.Recipient) -> Void = { _ in }
    /// What is signed, after encryption.
    var content: (inout SignedContent) -> Void = { _ in }
    /// Who signs.
    var signer: (inout TokenSigner) throws(OpenSSLError) -> Void = { _ in }
    /// What is signed besides the content.
    var attributes: (inout SignerAttributes) -> Void = { _ in }
    /// The signature, before it is encoded.
    var signature: (inout SignatureDraft) -> Void = { _ in }
    /// The encoded signature.
    var encodedSignature: (inout [UInt8]) -> Void = { _ in }
    /// The members of the finished token.
    var token: (inout TokenDraft) -> Void = { _ in }
}
