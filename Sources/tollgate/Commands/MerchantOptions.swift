import Access
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
        let name = "\(id).yaml"
        let folders = try folder.folders()
        let found = folders.all.map { "\($0)/\(name)" }.first(where: File.exists)
        return found ?? "\(folders.new)/\(name)"
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
        try File.withFolderHeld(File.folder(of: path)) {
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

/// The folders of the merchants' files.
struct MerchantFolderOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The configuration folder, whose merchants/ is used (default: that of the data directory).",
            valueName: "folder"))
    var config: String?

    @Option(help: ArgumentHelp("The gateway's data directory (default: .tollgate).", valueName: "folder"))
    var data: String?

    /// The configuration with its merchants, including those of the data directory.
    func configuration() throws -> ConfigurationDirectory {
        var configuration = try ConfigurationDirectory(config)
        configuration.dataMerchantsFolder = "\(try settings().dataPath)/\(DataDirectory.merchantsName)"
        return configuration
    }

    /// The settings of a gateway on the data directory.
    func settings() throws -> ServeSettings {
        var options: [String: String] = [:]
        options["data"] = data
        return try ServeSettings(options: options, settingsPath: try ConfigurationDirectory(config).settingsPath)
    }

    /// Whether a merchant's file is in the data directory.
    func isInDataDirectory(_ path: String) throws -> Bool {
        try File.folder(of: path) == configuration().dataMerchantsFolder
    }

    /// The folders of the merchants' files, which may be missing, and the folder for a new file: the one in the named
    /// configuration folder, or else the one in the data directory.
    func folders() throws -> (all: [String], new: String) {
        let configuration = try configuration()
        let all = configuration.merchantsFolders
        guard let new = configuration.isNamed && data == nil ? all.first : all.last else {
            preconditionFailure("the data directory's folder is always there")
        }
        return (all, new)
    }
}

/// The note on running gateways that commands print.
enum RunningGatewayNote {
    static let takenUp = "A gateway that runs on this configuration takes it up within two seconds."
}
