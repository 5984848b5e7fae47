import ApplePay
import ArgumentParser
import OpenSSL
import Payments

/// `tollgate merchant`: what a merchant's file needs.
struct MerchantCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merchant", abstract: "Prepare a merchant's configuration.",
        subcommands: [MerchantPassword.self])
}

/// `tollgate merchant password`: makes an API password and what a configuration keeps of it.
struct MerchantPassword: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "password",
        abstract: "Make an API password of 128 random bits, and the digest to put under `passwords` of the merchant.")

    func run() {
        let password = Hexadecimal.encoded(RandomBytes.generate(16))
        StandardOutput.writeLine("password: \(password)")
        StandardOutput.writeLine("digest: \(APIPassword(digesting: SecretText(password)).kept ?? "")")
    }
}
