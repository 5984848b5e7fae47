import ArgumentParser

/// `tollgate certificate`: keys and certificates by hand, a merchant's and the gateway's own.
struct CertificateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "certificate",
        abstract: "Ask Apple for a certificate, look into the files of one, or make one for TLS.",
        subcommands: [CertificateRequestCommand.self, CertificateShow.self, CertificateSelfSigned.self])
}
