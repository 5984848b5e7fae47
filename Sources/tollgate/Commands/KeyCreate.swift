import ArgumentParser

/// `tollgate key create`: creates the keys and the sandbox of an installation before any gateway starts.
struct KeyCreate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Make a folder with installation.key and the sandbox; what is there already is kept.",
        discussion: """
            A gateway on its own makes both in its data directory. Gateways on one database must have the same: make \
            them once, and name the folder to each gateway with --keys-folder. `token mint` and `key rotate` take it as \
            --data.
            """)

    @Argument(help: ArgumentHelp("The folder.", valueName: "folder"))
    var folder: String

    func run() throws {
        let directory = try DataDirectory(folder)
        _ = try directory.keys()
        let sandbox = try directory.sandbox()
        StandardOutput.writeLine("\(directory.keysPath) is the key, without which the database is of no use")
        StandardOutput.writeLine("\(sandbox.passwordPath) is the password of \(SandboxFiles.merchantName)")
    }
}
