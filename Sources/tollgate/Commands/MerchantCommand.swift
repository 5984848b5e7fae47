import ArgumentParser
import Glibc
import JSON

/// `tollgate merchant`: creates, shows and changes merchants' files.
struct MerchantCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merchant", abstract: "Make, show and change merchants.",
        discussion: """
            A merchant is a file, merchants/<merchant id>.yaml of the data directory or of the configuration folder, which \
            may as well be written by hand. A gateway that runs takes changes up by itself.
            """,
        subcommands: [
            MerchantCreate.self, MerchantList.self, MerchantShow.self, MerchantDisable.self, MerchantEnable.self,
            MerchantPassword.self,
        ])
}

/// `tollgate merchant list`: lists the merchants of a configuration, one line each.
struct MerchantList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the merchants of a configuration, and never a secret.",
        discussion: "The merchant of a sandbox has no file and is not among them.")

    @OptionGroup var folder: MerchantFolderOptions

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let settings = try folder.configuration().merchantSettings()
        let summaries = settings.map(MerchantSummary.init)
        if json {
            StandardOutput.write(JSONValue.array(summaries.map(\.json)).serialized() + [UInt8(ascii: "\n")])
        } else {
            for summary in summaries { StandardOutput.writeLine(summary.line) }
        }
    }
}

/// `tollgate merchant show`: shows a merchant's settings.
struct MerchantShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a merchant's settings, the default ones too, and never a secret.")

    @OptionGroup var merchant: MerchantOptions

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let summary = MerchantSummary(try MerchantSettings(try merchant.existingPath()))
        if json {
            StandardOutput.write(summary.json.serialized() + [UInt8(ascii: "\n")])
        } else {
            StandardOutput.writeLine(summary.description)
        }
    }
}

/// `tollgate merchant disable`: refuses a merchant's requests from now on.
struct MerchantDisable: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable", abstract: "Refuse a merchant's requests from now on, as if it didn't exist.")

    @OptionGroup var merchant: MerchantOptions

    func run() throws {
        try merchant.edit(changing: ["enabled"]) { $0.setEnabled(false) }
        StandardOutput.writeLine("\(merchant.id) is disabled. \(RunningGatewayNote.takenUp)")
    }
}

/// `tollgate merchant enable`: accepts a merchant's requests again.
struct MerchantEnable: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "enable", abstract: "Let a merchant in again.")

    @OptionGroup var merchant: MerchantOptions

    func run() throws {
        try merchant.edit(changing: ["enabled"]) { $0.setEnabled(true) }
        StandardOutput.writeLine("\(merchant.id) is enabled. \(RunningGatewayNote.takenUp)")
    }
}
