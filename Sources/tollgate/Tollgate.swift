import ArgumentParser
import HTTPServer

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

    /// Runs the command, whichever it is, in a process that keeps its secrets.
    static func main() async {
        if !ProtectedMemory.begin() { StandardError.writeLine("memory: not protected: \(File.systemError())") }
        await main(nil)
    }
}

/// A failure that a person can mend: its text says what and where, and never holds a secret.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
