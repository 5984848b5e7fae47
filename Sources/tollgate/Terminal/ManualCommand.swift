import ArgumentParser
import MerchantAPI

/// `tollgate manual`: prints the manual page.
struct ManualCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "manual", abstract: "Print the manual page, as man reads it.",
        discussion: "Install it as man1/tollgate.1 in a folder of MANPATH, or read it with: tollgate manual | man -l -")

    func run() throws {
        guard let program = CommandDescription.program else { throw Failure("the parser describes no commands") }
        StandardOutput.write(Array(ManualPage(program, version: MerchantAPI.gatewayVersion).description.utf8))
    }
}
