import ArgumentParser

/// `tollgate key`: manages the keys under which a gateway seals secrets.
struct KeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Look after the keys of an installation.",
        subcommands: [KeyCreate.self, KeyRotate.self])
}
