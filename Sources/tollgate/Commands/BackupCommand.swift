import ArgumentParser
import Glibc
import SQLiteStore
internal import Vault

/// `tollgate backup`: copies a data directory, even while a gateway runs on it. The copy holds everything acknowledged
/// before the command began.
struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy a data directory, whether a gateway runs on it or not, to a new folder that one can start on.",
        discussion: """
            The copy holds everything that was acknowledged before the command began, and is read through before it \
            counts. It comes with installation.key, without which no token in it is recognised and nothing sealed opens, \
            and with the sandbox and the token of the control port: guard it as you guard the data directory. Requests don't wait for it. What is there \
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

/// A copy of a data directory, made while a gateway may be running on it.
struct DirectoryCopy {
    /// The new folder's absolute path.
    let path: String
    /// The number of orders in it.
    let orderCount: Int64
    /// The size of its database, in bytes.
    let byteCount: Int64

    /// Copies a data directory to a new folder, completely or not at all. The copy is made in
    /// `<destination>.unfinished`, and renamed when complete.
    init(of directory: DataDirectory, to destination: String) throws {
        path = try Self.place(destination, besides: [directory.path, directory.sharedKeysFolder].compactMap(\.self))
        let draft = path + ".unfinished"
        let holder = try Self.begin(draft)
        // The lock is held until here. Otherwise another backup would take the draft for the remains of a killed one.
        defer { close(holder) }
        do {
            let copy = try Self.fill(draft, from: directory)
            (orderCount, byteCount) = (copy.orderCount, copy.byteCount)
            guard unlink("\(draft)/\(DataDirectory.unfinishedName)") == 0 else {
                throw Failure("\(draft): \(File.systemError())")
            }
            try File.syncFolder(draft)
            guard rename(draft, path) == 0 else { throw Failure("\(path): \(File.systemError())") }
            try File.syncFolder(path + "/..")
        } catch {
            FolderCopy.remove(draft)
            throw error
        }
    }

    /// The absolute path of `destination`, which must not exist and must lie in none of `folders`.
    private static func place(_ destination: String, besides folders: [String]) throws -> String {
        var status = stat()
        guard lstat(destination, &status) != 0 else {
            throw Failure("\(destination): it is there already; name another folder")
        }
        let parts = destination.split(separator: "/")
        let parent = parts.dropLast().joined(separator: "/")
        let folder = destination.hasPrefix("/") ? "/" + parent : parent.isEmpty ? "." : parent
        guard let name = parts.last, name != ".", name != "..", let absolute = realpath(folder, nil) else {
            throw Failure("\(destination): \(parts.isEmpty ? "no folder" : File.systemError())")
        }
        defer { free(absolute) }
        let real = String(cString: absolute)
        for folder in folders where real == folder || real.hasPrefix(folder + "/") {
            throw Failure("\(destination) is inside \(folder), of which it would be a copy; name a folder elsewhere")
        }
        return (real == "/" ? "" : real) + "/" + name
    }

    /// Creates and locks the draft folder, and clears what a killed backup left in it.
    ///
    /// - Returns: a descriptor that holds the lock (flock(2)).
    private static func begin(_ draft: String) throws -> CInt {
        let isNew = mkdir(draft, 0o700) == 0
        guard isNew || errno == EEXIST else { throw Failure("\(draft): \(File.systemError())") }
        let holder = open(draft, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard holder >= 0 else { throw Failure("\(draft): \(File.systemError())") }
        do {
            guard flock(holder, LOCK_EX | LOCK_NB) == 0 else {
                throw Failure("\(draft): another backup is being made there")
            }
            if !isNew {
                let marker = "\(draft)/\(DataDirectory.unfinishedName)"
                guard try File.exists(marker) || FolderCopy.names(in: draft).isEmpty else {
                    throw Failure("\(draft): it is there already, and no backup left it; name another folder")
                }
                FolderCopy.clear(draft, last: DataDirectory.unfinishedName)
            }
            try File.writePrivate("\(draft)/\(DataDirectory.unfinishedName)", "")
            try File.syncFolder(draft)
        } catch {
            close(holder)
            throw error
        }
        return holder
    }

    /// Copies the database before the keys. Keys are only ever added, so the copied keys open everything in the copied
    /// database.
    private static func fill(_ folder: String, from directory: DataDirectory) throws -> StoreCopy {
        let target = "\(folder)/\(DataDirectory.databaseName)"
        let copy: StoreCopy
        do { copy = try StoreCopy(of: directory.databasePath, to: target) } catch { throw Failure(error.explanation) }
        let keys = try directory.keys()
        guard copy.mark ?? keys.recognition.mark == keys.recognition.mark else {
            throw Failure("\(directory.keysPath) is not the key of \(directory.databasePath)")
        }
        try FolderCopy.copyFile(directory.keysPath, to: "\(folder)/\(DataDirectory.keysName)")
        if File.exists(directory.controlTokenPath) {
            try FolderCopy.copyFile(directory.controlTokenPath, to: "\(folder)/\(ControlToken.fileName)")
        }
        for (path, name) in [
            (directory.sandboxPath, DataDirectory.sandboxName), (directory.merchantsPath, DataDirectory.merchantsName),
        ] where File.exists(path) {
            try FolderCopy.copy(path, to: "\(folder)/\(name)")
        }
        try File.syncFolder(folder)
        return copy
    }
}
