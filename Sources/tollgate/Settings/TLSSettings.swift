import OpenSSL

/// The gateway's TLS settings: the paths of its files, and the policy for client certificates.
struct TLSSettings: Sendable, Equatable {
    /// The policy for client certificates.
    enum ClientCertificates: String, Sendable, CaseIterable {
        /// No certificate is requested.
        case none
        /// A client may present one, which may identify a merchant. An invalid one is refused.
        case optional
        /// A client without a valid one is refused.
        case required
    }

    /// The chain in PEM, the gateway's own certificate first.
    let certificatePath: String
    let keyPath: String
    let keyPasswordPath: String?
    /// PEM certificates that clients' certificate chains must end in: of authorities, or of the clients themselves.
    let clientAuthorityPath: String?
    let clientCertificates: ClientCertificates

    /// The paths of all files of the settings.
    var files: [String] { [certificatePath, keyPath] + [keyPasswordPath, clientAuthorityPath].compactMap(\.self) }

    /// The protocols for ALPN, the preferred one first (RFC 7301 §6, RFC 9113 §3.2).
    private static let applicationProtocols = ["h2", "http/1.1"]

    /// Reads the files.
    ///
    /// - Parameter authority: the sandbox's, whose merchant identity certificates are accepted, too. Where a certificate is
    ///   required, only those of `tlsClientCA` are: what an operator demands of clients is not weakened.
    func read(sandbox authority: Certificate?) throws -> (context: TLSContext, certificate: Certificate) {
        let identity = try identity()
        let trust: TLSContext.ClientCertificates
        switch (clientCertificates, authority) {
        case (.none, nil): trust = .none
        case (.none, let authority?): trust = .requested(try TrustStore(roots: [authority]), of: [authority])
        case (.optional, _):
            trust = .optional(try TrustStore(roots: clientAuthorities() + [authority].compactMap(\.self)))
        case (.required, _): trust = .required(try TrustStore(roots: clientAuthorities()))
        }
        do {
            let context = try TLSContext(
                server: identity, clientCertificates: trust, applicationProtocols: Self.applicationProtocols)
            return (context, identity.certificate)
        } catch {
            throw Failure("\(certificatePath): not fit to be served with (\(error))")
        }
    }

    private func identity() throws -> TLSIdentity {
        let chain = try certificates(certificatePath)
        let password = try keyPasswordPath.map { try KeyPassword(file: $0) }
        let key = try KeyFiles.privateKey(
            keyPath, password: password, passwordIsNamed: "with --tls-key-password-file (or tlsKeyPasswordFile)")
        do { return try TLSIdentity(chain: chain, key: key) } catch {
            throw Failure(
                "\(certificatePath): its first certificate is not that of the key in \(keyPath): name the two that were made "
                    + "together, and put the gateway's own certificate first")
        }
    }

    private func clientAuthorities() throws -> [Certificate] {
        guard let clientAuthorityPath else { preconditionFailure("checked when the settings were read") }
        return try certificates(clientAuthorityPath)
    }

    private func certificates(_ path: String) throws -> [Certificate] {
        let content = try File.readRegular(path, byteCountMax: KeyFiles.byteCountMax)
        do { return try Certificate.all(pem: content) } catch .noPEMBlock {
            throw Failure("\(path): no certificate in PEM (-----BEGIN CERTIFICATE-----)")
        } catch {
            throw Failure("\(path): not certificates that OpenSSL reads (\(error))")
        }
    }
}

extension TLSSettings {
    /// Combines the separate settings. A setting that is nil has its default value.
    ///
    /// - Returns: nil if there is neither a certificate nor a key.
    static func joining(
        certificatePath: String?, keyPath: String?, keyPasswordPath: String?, clientAuthorityPath: String?,
        clientCertificates: ClientCertificates?
    ) throws -> TLSSettings? {
        guard let certificatePath, let keyPath else {
            let orphan =
                certificatePath.map { _ in "tlsCertificate" } ?? keyPath.map { _ in "tlsKey" }
                ?? keyPasswordPath.map { _ in "tlsKeyPasswordFile" } ?? clientAuthorityPath.map { _ in "tlsClientCA" }
                ?? clientCertificates.map { _ in "tlsClientCertificates" }
            guard let orphan else { return nil }
            throw Failure("\(orphan): TLS requires both --tls-certificate and --tls-key")
        }
        let policy = clientCertificates ?? (clientAuthorityPath == nil ? .none : .optional)
        guard policy == .none || clientAuthorityPath != nil else {
            throw Failure(
                "tlsClientCertificates: \(policy.rawValue): say with --tls-client-ca whose certificates are accepted")
        }
        return TLSSettings(
            certificatePath: certificatePath, keyPath: keyPath, keyPasswordPath: keyPasswordPath,
            clientAuthorityPath: clientAuthorityPath, clientCertificates: policy)
    }
}
