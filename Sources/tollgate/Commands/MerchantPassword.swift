import ArgumentParser
import Payments

/// `tollgate merchant password`: creates an API password, or rotates a merchant's.
struct MerchantPassword: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "password",
        abstract: "Make an API password of 128 random bits, for a merchant or to be put into its file by hand.",
        discussion: """
            With a merchant, the new password is added to its file and the newest of the old ones stays valid beside it, \
            until --retire ends that. Without one, the password is printed with the digest to put under `passwords`.
            """)

    @Argument(help: ArgumentHelp("The merchant whose password is rolled over.", valueName: "merchant id"))
    var id: String?

    @OptionGroup var folder: MerchantFolderOptions

    @Flag(help: "Take a password that you chose: asked for at a terminal, else the first line of standard input.")
    var set = false

    @Flag(help: "Make none, and let none but the merchant's newest password be valid from now on.")
    var retire = false

    func validate() throws {
        guard !retire || (id != nil && !set) else {
            throw ValidationError("--retire needs a merchant, and excludes --set")
        }
    }

    func run() throws {
        guard let id else {
            let password = try password()
            if let shown = password.shown { StandardOutput.writeLine("password: \(shown)") }
            StandardOutput.writeLine("digest: \(password.kept)")
            return
        }
        var merchant = MerchantOptions()
        (merchant.id, merchant.folder) = (id, folder)
        if retire {
            try merchant.edit(changing: ["passwords"]) { $0.keepPasswords(1) }
            StandardOutput.writeLine("\(id) has one password. \(RunningGatewayNote.takenUp)")
            return
        }
        _ = try merchant.existingPath()
        let password = try password()
        try merchant.edit(changing: ["passwords"]) {
            $0.addPassword(password.kept, countMax: Merchant.passwordsMax)
        }
        if let shown = password.shown { StandardOutput.writeLine("password: \(shown)") }
        StandardOutput.writeLine(
            "The newest password before it stays valid until `tollgate merchant password \(id) --retire`. "
                + RunningGatewayNote.takenUp)
    }

    private func password() throws -> NewPassword { set ? try .chosen() : try .made() }
}
