import ArgumentParser

/// `tollgate key`: the keys under which a gateway keeps what is secret.
struct KeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Look after the keys of an installation.",
        subcommands: [KeyCreate.self, KeyRotate.self])
}
