package import OpenSSL

extension SignedData {
    /// Whether the holder of a certificate signed this content. The certificate's own chain is not verified.
    ///
    /// - Parameter signer: the certificate that the signature must name by issuer and serial number.
    package func isSigned(by signer: Certificate, over content: [UInt8]) -> Bool {
        guard signerIssuer == signer.issuer, signerSerialNumber == signer.serialNumber,
            let key = try? signer.publicKey()
        else { return false }
        do throws(TokenRefusal) { try verify(with: key, over: content) } catch { return false }
        return true
    }
}
