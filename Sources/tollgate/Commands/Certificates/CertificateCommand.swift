import ArgumentParser

/// `tollgate certificate`: creates and shows keys and certificates, a merchant's or the gateway's own.
struct CertificateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "certificate",
        abstract: "Ask Apple for a certificate, look into the files of one, or make one for TLS.",
        subcommands: [
            CertificateRequestCommand.self, CertificateShow.self, CertificateSelfSigned.self,
            CertificateMerchantIdentity.self,
        ])
}
