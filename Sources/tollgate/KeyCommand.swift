import ArgumentParser

/// `tollgate key`: the keys under which a gateway keeps what is secret.
struct KeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Look after the keys of an installation.", subcommands: [KeyRotate.self])
}

/// `tollgate key rotate`: from the next start on, what is kept is sealed under a new key.
struct KeyRotate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Add a key to installation.key; what is sealed from the next start on is sealed under it.",
        discussion: """
            What was sealed before opens as before, and is sealed anew whenever it is next written: sessions within the \
            time that they last, tokens when they are next used or updated. Requests and payment tokens are recognised \
            under the first key for good, since what they were recognised by is kept nowhere. So the earlier keys stay \
            in the file: keep it with the database, and give every gateway on one database the same file before any of \
            them starts on it.
            """)

    @Option(help: ArgumentHelp("The data directory.", valueName: "folder"))
    var data = DataDirectory.defaultPath

    @Option(help: ArgumentHelp("The folder with the keys, if it is another one.", valueName: "folder"))
    var keysFolder: String?

    func run() throws {
        let folder = keysFolder ?? data
        guard File.exists(folder) else {
            throw Failure("\(folder): no such \(keysFolder == nil ? "data directory" : "folder")")
        }
        let directory = try DataDirectory(folder)
        let count = try directory.rotateKeys()
        StandardOutput.writeLine(
            "\(directory.keysPath) has \(count) keys; the last one seals once the gateway is started anew")
    }
}
