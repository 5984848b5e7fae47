import ArgumentParser
import Glibc
import Payments
import SQLiteStore

/// `tollgate backup`: a data directory that holds what the gateway on another one held when the command began.
struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy a data directory, whether a gateway runs on it or not, to a new folder that one can start on.",
        discussion: """
            The copy holds everything that was acknowledged before the command began, and is read through before it \
            counts. It comes with installation.key, without which no token in it is recognised and nothing sealed opens, \
            and with the sandbox: guard it as you guard the data directory. Requests don't wait for it. What is there \
            already is never overwritten.
            """)

    @Argument(help: "The folder to make.")
    var destination: String

    @Option(help: ArgumentHelp("The data directory (default: .tollgate).", valueName: "folder"))
    var data: String?

    @Option(help: ArgumentHelp("The folder with the keys, if it is another one.", valueName: "folder"))
    var keysFolder: String?

    @Option(help: ArgumentHelp("The configuration folder (default: the one that Tollgate ships).", valueName: "folder"))
    var config: String?

    func run() throws {
        var options: [String: String] = [:]
        options["data"] = data
        options["keysFolder"] = keysFolder
        let settings = try ServeSettings(
            options: options, settingsPath: try ConfigurationDirectory(config).settingsPath)
        guard settings.store.url == nil else {
            throw Failure(
                "storeURL: the orders are on a PostgreSQL server; back that up with pg_dump, and keep the keys")
        }
        guard File.exists(settings.dataPath) else { throw Failure("\(settings.dataPath): no such data directory") }
        let directory = try DataDirectory(settings.dataPath, keysFolder: settings.keysFolder)
        guard File.exists(directory.databasePath) else {
            throw Failure(
                "\(directory.databasePath): there is none; orders on a PostgreSQL server are backed up with pg_dump")
        }
        let copy = try DirectoryCopy(of: directory, to: destination)
        StandardOutput.writeLine(
            "\(copy.path) holds \(copy.orderCount) orders in \(copy.byteCount) bytes, read through and found whole, and "
                + "the installation's keys: guard it as you guard \(directory.path)")
        StandardOutput.writeLine("to start on it: tollgate serve --data \(ShellWord.quoted(copy.path))")
    }
}

/// A data directory that was copied while a gateway may run on it.
struct DirectoryCopy {
    /// The new folder's absolute path.
    let path: String
    /// How many orders it holds.
    let orderCount: Int64
    /// How many bytes its database has.
    let byteCount: Int64

    /// Copies a data directory to a new folder, all of it or nothing.
    init(of directory: DataDirectory, to destination: String) throws {
        guard mkdir(destination, 0o700) == 0 else {
            throw Failure(
                "\(destination): \(errno == EEXIST ? "it is there already; name another folder" : File.systemError())")
        }
        do {
            guard let absolute = realpath(destination, nil) else {
                throw Failure("\(destination): \(File.systemError())")
            }
            path = String(cString: absolute)
            free(absolute)
            let copy = try Self.fill(path, from: directory)
            (orderCount, byteCount) = (copy.orderCount, copy.byteCount)
        } catch {
            FolderCopy.remove(destination)
            throw error
        }
    }

    /// The database comes first, so that the keys, of which there can only be more by then, open all of it; and has its name
    /// last, so that what was left half made is no data directory.
    private static func fill(_ folder: String, from directory: DataDirectory) throws -> StoreCopy {
        let target = try DataDirectory(folder)
        let draft = target.databasePath + ".draft"
        let copy: StoreCopy
        do { copy = try StoreCopy(of: directory.databasePath, to: draft) } catch { throw Failure(error.explanation) }
        let keys = try directory.keys()
        guard copy.mark ?? keys.recognition.mark == keys.recognition.mark else {
            throw Failure("\(directory.keysPath) is not the key of \(directory.databasePath)")
        }
        try FolderCopy.copyFile(directory.keysPath, to: target.keysPath)
        if File.exists(directory.sandboxPath) { try FolderCopy.copy(directory.sandboxPath, to: target.sandboxPath) }
        guard rename(draft, target.databasePath) == 0 else { throw Failure("\(folder): \(File.systemError())") }
        try File.syncFolder(folder)
        try File.syncFolder(folder + "/..")
        return copy
    }
}
