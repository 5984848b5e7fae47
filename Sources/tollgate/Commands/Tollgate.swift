import ArgumentParser
import Glibc
import HTTPServer
import MerchantAPI

/// The program: a payment gateway that merchants run themselves.
@main
struct Tollgate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tollgate",
        abstract: "A payment gateway for tests and staging that really opens Apple Pay tokens.",
        version: MerchantAPI.gatewayVersion,
        subcommands: [
            Serve.self, ReadyCommand.self, ConfigCommand.self, Token.self, MerchantCommand.self,
            CertificateCommand.self,
            KeyCommand.self, BackupCommand.self, ManualCommand.self,
        ])

    /// Runs the command, in a process whose memory is protected against core dumps and tracing.
    static func main() async {
        if !ProtectedMemory.begin() { StandardError.writeLine("memory: not protected: \(File.systemError())") }
        guard CommandLine.argc > 0 else {
            StandardError.writeLine("/proc is not mounted, and arguments are read from there: mount -t proc proc /proc")
            Glibc.exit(1)
        }
        await runCommand()
    }
}

/// An error that a person can fix. Its description says what is wrong and where, and never contains a secret.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
