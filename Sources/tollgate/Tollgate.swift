import ArgumentParser

/// The program: a payment gateway that merchants run themselves.
@main
struct Tollgate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tollgate",
        abstract: "A payment gateway for tests and staging that really opens Apple Pay tokens.",
        subcommands: [
            Serve.self, ReadyCommand.self, Token.self, MerchantCommand.self, CertificateCommand.self, KeyCommand.self,
            BackupCommand.self,
        ])
}

/// A failure that a person can mend: its text says what and where, and never holds a secret.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
