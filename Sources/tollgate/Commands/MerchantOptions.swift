import ArgumentParser
import Glibc
import JSON
internal import Values

/// The merchant that a command works on, and the path of its file.
struct MerchantOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("The merchant's identifier.", valueName: "merchant id"))
    var id: String

    @OptionGroup var folder: MerchantFolderOptions

    /// The path of the merchant's file, which may be missing.
    func path() throws -> String {
        guard let id = try? MerchantID(id) else {
            throw ValidationError("\(EscapedLine(id)): a merchant id is 1 to 40 of 0-9 A-Z a-z _ -")
        }
        return "\(try folder.merchants())/\(id).yaml"
    }

    /// The path of the merchant's file, which must exist.
    func existingPath() throws -> String {
        let path = try path()
        guard File.exists(path) else { throw Failure("\(path): no such merchant; `tollgate merchant list` names them") }
        return path
    }

    /// Changes the file's text. Comments and everything else in it stay as they are.
    ///
    /// - Parameter members: the members of `merchant show --json` that the change may affect.
    func edit(changing members: Set<String>, _ change: (inout MerchantText) throws -> Void) throws {
        let path = try existingPath()
        // Concurrent commands must not overwrite each other's changes.
        try File.withFolderHeld(try folder.merchants()) {
            let before = String(decoding: try File.read(path, byteCountMax: YAMLMapping.byteCountMax), as: UTF8.self)
            let settings = try MerchantSettings(path, text: before)
            var text = MerchantText(before)
            try change(&text)
            let after = try? MerchantSettings(path, text: text.text)
            guard let after, Self.rest(settings, members) == Self.rest(after, members) else {
                throw Failure("\(path): not written a key a line, so it can't be changed here; change it by hand")
            }
            if text.text != before { try File.replace(path, text.text) }
        }
    }

    private static func rest(_ settings: MerchantSettings, _ members: Set<String>) -> JSONValue {
        guard case .object(let all) = MerchantSummary(settings).json else { return .null }
        return .object(JSONObject(all.filter { !members.contains($0.name) }.map { (name: $0.name, value: $0.value) }))
    }
}

/// The folder of the merchants' files.
struct MerchantFolderOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The configuration folder (default: the one that Tollgate ships).", valueName: "folder"))
    var config: String?

    /// The folder of the merchants' files, which may be missing.
    func merchants() throws -> String {
        guard let folder = try ConfigurationDirectory(config).merchantsFolder else {
            throw Failure("no configuration folder; name it with --config")
        }
        return folder
    }
}

/// The note on running gateways that commands print.
enum RunningGatewayNote {
    static let takenUp = "A gateway that runs on this configuration takes it up within two seconds."
}
