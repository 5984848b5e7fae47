import Access
import ArgumentParser
import Glibc
import Payments

/// `tollgate merchant create`: creates a merchant's file.
struct MerchantCreate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Make a merchant, and print its API password, of which only a digest is stored.",
        discussion: "Only its owner can read the file; a gateway that runs as another user must be given it.")

    @OptionGroup var merchant: MerchantOptions

    @Option(help: ArgumentHelp("A currency that the merchant accepts; may be repeated.", valueName: "code"))
    var currency: [String] = []

    @Option(help: ArgumentHelp("A privilege in place of the usual ones; may be repeated.", valueName: "name"))
    var privilege: [String] = []

    @Option(
        help: ArgumentHelp(
            "A store id of Radial's API, for which an API key is made and printed.", valueName: "store id"))
    var radialStore: String?

    @Flag(help: "Take a password that you chose: asked for at a terminal, else the first line of standard input.")
    var set = false

    func run() throws {
        let path = try merchant.path()
        guard !File.exists(path) else {
            throw Failure("\(path): it is there already; `tollgate merchant show \(merchant.id)` shows it")
        }
        let password = set ? try NewPassword.chosen() : try NewPassword.made()
        let apiKey = try radialStore.map { _ in try NewPassword.made() }
        let text = try text(password, apiKey)
        _ = try MerchantSettings(path, text: text)
        let folder = File.folder(of: path)
        let hadMerchants = try !merchant.folder.configuration().merchantPaths().isEmpty
        if try merchant.folder.isInDataDirectory(path) { _ = try DataDirectory(File.folder(of: folder)) }
        guard mkdir(folder, 0o755) == 0 || errno == EEXIST else { throw Failure("\(folder): \(File.systemError())") }
        var content = text
        try content.withUTF8 { try File.writeNew(path, mode: 0o600, UnsafeRawBufferPointer($0)) }
        try File.syncFolder(folder)
        if let shown = password.shown { StandardOutput.writeLine("password: \(shown)") }
        if let shown = apiKey?.shown { StandardOutput.writeLine("apikey: \(shown)") }
        StandardOutput.writeLine("file: \(path)")
        if !hadMerchants, try merchant.folder.settings().sandbox == nil { StandardOutput.writeLine(Self.sandboxNote) }
    }

    private static let sandboxNote =
        "note: a gateway with merchants of its own starts without the sandbox merchant; sandbox: true keeps it "
        + "(--sandbox true, TOLLGATE_SANDBOX=true)"

    private func text(_ password: NewPassword, _ apiKey: NewPassword?) throws -> String {
        for code in currency where Currency(code: code) == nil {
            throw ValidationError("--currency \(EscapedLine(code)): not a code of ISO 4217")
        }
        for name in privilege where Privilege(rawValue: name) == nil {
            let known = Privilege.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("--privilege \(EscapedLine(name)): none of: \(known)")
        }
        let usual = Set<Privilege>.usual.map(\.rawValue).sorted().joined(separator: ", ")
        let currencies =
            currency.isEmpty ? "# currencies: [USD, EUR]" : "currencies: [\(currency.joined(separator: ", "))]"
        let privileges =
            privilege.isEmpty ? "# privileges: [\(usual)]" : "privileges: [\(privilege.joined(separator: ", "))]"
        let radial = zip([radialStore].compactMap(\.self), [apiKey].compactMap(\.self)).map { storeID, apiKey in
            "\nradial:\n  storeID: \(storeID)\n  apiKeys:\n    - digest: \(apiKey.kept)\n"
        }
        return """
            # The merchant \(merchant.id). A gateway that runs takes changes of this file up by itself.
            enabled: true
            # One, or two while one replaces the other, the newest last; see `tollgate merchant password`.
            passwords:
              - digest: \(password.kept)
            # Every currency unless some are named.
            \(currencies)
            # These unless others are named.
            \(privileges)

            """ + radial.joined()
    }
}
