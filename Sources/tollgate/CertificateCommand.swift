import ArgumentParser

/// `tollgate certificate`: a merchant's keys and certificates by hand.
struct CertificateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "certificate", abstract: "Ask Apple for a certificate, or look into the files of one.",
        subcommands: [CertificateRequestCommand.self, CertificateShow.self])
}
