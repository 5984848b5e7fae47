import ApplePaySandbox
import ControlAPI
import Glibc
import OpenSSL
import Values
import Vault

/// The folder for an installation's persistent data. A folder created here is private to its owner. An existing folder
/// loses the permissions of others, and the files in it are private to their owner.
///
/// | File | Content |
/// |---|---|
/// | `tollgate.sqlite` | orders and transactions, and sessions and tokens, sealed |
/// | `installation.key` | the installation's keys, 32 random bytes each, oldest first |
/// | `sandbox/` | the local authority, the sandbox merchant's keys, and its API password |
/// | `merchants/` | the merchants' files that `tollgate merchant create` made |
/// | `control-token` | the bearer token of the control port, if the gateway made it: ``ControlToken`` |
/// | `clock` | how far the gateway's clock is ahead of the machine's, in milliseconds |
/// | `lock` | the lock file of the gateway that runs on this folder |
/// | `first-start` | a marker, from the first start or the creation of the keys until there is a database |
/// | `unfinished` | a marker in an incomplete copy |
/// | `gateway.json` | the addresses of the gateway that runs on this folder: ``ReadyFile`` |
///
/// `installation.key` and `sandbox/` may lie in another folder, shared by several gateways on one database. That folder
/// need not be writable once they exist.
struct DataDirectory {
    /// The folder's absolute path.
    let path: String
    /// The absolute path of the folder with the keys.
    private let keysFolder: String

    /// The default folder.
    static let defaultPath = ".tollgate"

    /// Opens the folder, and creates it if missing.
    ///
    /// - Parameter keysFolder: the folder with the keys, if it is another one. It must exist: a folder created for a
    ///   misspelt name would get keys and a sandbox of its own, which no other gateway knows.
    init(_ path: String, keysFolder: String? = nil) throws {
        if let keysFolder, !File.exists(keysFolder) {
            throw Failure(
                "\(keysFolder): there is no such folder, where installation.key and the sandbox are looked for; name the one "
                    + "that has them (--keys-folder, keysFolder), or make it: tollgate key create "
                    + ShellWord.quoted(keysFolder))
        }
        self.path = try Self.folder(path)
        self.keysFolder = try keysFolder.map(Self.folder) ?? self.path
        guard !File.exists(file(Self.unfinishedName)) else {
            throw Failure("\(self.path) is what is left of a backup that did not end: remove it, and make another")
        }
    }

    /// The name of the marker file in an incomplete copy.
    static let unfinishedName = "unfinished"
    /// The name of the database.
    static let databaseName = "tollgate.sqlite"
    /// The name of the file with the keys.
    static let keysName = "installation.key"

    /// Creates a folder if missing; its parent must exist.
    ///
    /// - Returns: its absolute path.
    private static func folder(_ path: String) throws -> String {
        // mkdir(2) is not called for an existing folder, which may be on a read-only file system.
        if !File.exists(path), mkdir(path, 0o700) != 0, errno != EEXIST {
            throw Failure(
                errno == ENOENT
                    ? "\(path): neither it nor the folder to make it in is there" : "\(path): \(File.systemError())")
        }
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw Failure("\(path): not a folder")
        }
        guard let absolute = realpath(path, nil) else { throw Failure("\(path): \(File.systemError())") }
        defer { free(absolute) }
        let folder = String(cString: absolute)
        try OtherPermissions.remove(fromFolder: folder)
        return folder
    }

    private func file(_ name: String) -> String { path + "/" + name }

    /// The path of the merchants' files, which may be missing.
    var merchantsPath: String { file(Self.merchantsName) }
    /// The name of the folder with the merchants' files.
    static let merchantsName = "merchants"

    /// The path of the database.
    var databasePath: String { file(Self.databaseName) }

    /// The path of the file with the addresses of the running gateway.
    var readyPath: String { file(ReadyFile.name) }

    /// The path of the control port's bearer token, if the gateway makes it.
    var controlTokenPath: String { file(ControlToken.fileName) }

    /// The path of the sandbox, if there is one.
    var sandboxPath: String { keysFolder + "/" + Self.sandboxName }
    /// The name of the sandbox's folder.
    static let sandboxName = "sandbox"

    /// Locks the folder for one gateway until the process ends.
    func lock() throws {
        let descriptor = open(file("lock"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure("\(file("lock")): \(File.systemError())") }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw Failure(
                "\(path): another gateway runs on this folder; stop it, or name another with --data (several on one "
                    + "database have a data folder each, and one --keys-folder)")
        }
    }

    /// The folder with the keys, if it differs from this folder; otherwise nil.
    var sharedKeysFolder: String? { keysFolder == path ? nil : keysFolder }

    /// The path of the installation's keys.
    var keysPath: String { keysFolder + "/" + Self.keysName }

    /// The installation's keys. The first key is created on first use.
    func keys() throws -> KeyRing {
        let path = keysPath
        if !File.exists(path) {
            guard !File.exists(databasePath) else {
                throw Failure(
                    "\(path) is missing, and without it no token in \(databasePath) is recognised: bring both back from "
                        + "one copy, or remove both to start again")
            }
            // If several gateways start on one folder at once, the first one creates the key.
            try File.withFolderHeld(keysFolder) {
                guard !File.exists(path) else { return }
                // A start that finds keys but no database must know that the database was never created.
                try File.writePrivate("\(keysFolder)/\(Self.firstStartName)", "")
                try File.syncFolder(keysFolder)
                try RandomBytes.secret(KeyRing.keyByteCount).withUnsafeBytes { try File.writePrivate(path, $0) }
                try File.syncFolder(keysFolder)
            }
        }
        return try Self.ring(try kept(), path)
    }

    /// The installation's keys, which must exist.
    func existingKeys() throws -> KeyRing { try Self.ring(try kept(), keysPath) }

    /// Replaces the keys with the result of `change`.
    ///
    /// - Returns: the new keys.
    func changeKeys(_ change: (KeyRing, SecretBytes) throws -> SecretBytes) throws -> KeyRing {
        guard File.exists(keysPath) else { throw Failure("\(keysPath) is missing: there is no key to rotate") }
        try File.withFolderHeld(keysFolder) {
            let before = try kept()
            let after = try change(try Self.ring(before, keysPath), before)
            try after.withUnsafeBytes { try File.writePrivate(keysPath, $0) }
            try File.syncFolder(keysFolder)
        }
        return try existingKeys()
    }

    private func kept() throws -> SecretBytes {
        try OtherPermissions.remove(fromFile: keysPath)
        return try File.readSecret(keysPath, byteCountMax: KeyRing.countMax * KeyRing.keyByteCount, users: .anyone)
    }

    private static func ring(_ keys: SecretBytes, _ path: String) throws -> KeyRing {
        guard let ring = KeyRing(keys) else {
            throw Failure("\(path): not the keys of an installation, 1 to \(KeyRing.countMax) of 32 bytes each")
        }
        return ring
    }

    /// Records the clock's offset, for commands that mint or inspect tokens.
    func note(_ clock: GatewayClock) throws {
        // An unchanged offset needs no write and no sync.
        guard (try? self.clock().offsetMilliseconds) != clock.offsetMilliseconds || !File.exists(file("clock")) else {
            return
        }
        try File.writePrivate(file("clock"), "\(clock.offsetMilliseconds)\n")
    }

    /// The clock of a gateway on this folder. It records its offset whenever it is set.
    func clock(startingAt instant: Instant?) -> SettableClock {
        let write: @Sendable (Int64) -> Void = { offset in
            // A full disk must not stop a gateway that can still read its orders. Only mint and inspect need this file.
            do { try note(GatewayClock(offsetMilliseconds: offset)) } catch {
                StandardError.offerLine("clock: not noted for token mint: \(error)")
            }
        }
        let offset = GatewayClock(showing: instant).offsetMilliseconds
        write(offset)
        return SettableClock(machine: SystemClock.now, offsetMilliseconds: offset, didChange: write)
    }

    /// The clock of the gateway that last ran on this folder, or the system clock.
    func clock() throws -> GatewayClock {
        guard File.exists(file("clock")) else { return GatewayClock(offsetMilliseconds: 0) }
        let text = String(decoding: try File.read(file("clock"), byteCountMax: 64), as: UTF8.self)
        guard let offset = Int64(text.filter { !$0.isWhitespace }) else {
            throw Failure("\(file("clock")): not a number of milliseconds")
        }
        return GatewayClock(offsetMilliseconds: offset)
    }

    /// The sandbox, created on first use. Key material for `RSA_v1` is added to a sandbox that lacks it.
    func sandbox() throws -> SandboxFiles {
        let folder = sandboxPath
        let rsaFolder = SandboxFiles.rsaFolder(in: folder)
        if !File.exists(rsaFolder) {
            try File.withFolderHeld(keysFolder) {
                try makeWhole(folder, in: keysFolder, SandboxFiles.make)
                try makeWhole(rsaFolder, in: folder) { try SandboxFiles.makeRSA(in: $0, ofSandbox: folder) }
            }
        }
        return try SandboxFiles(folder)
    }

    /// Makes the sandbox merchant's merchant identity certificate if it is missing.
    ///
    /// - Returns: the paths of the certificate and of its key.
    func merchantIdentity() throws -> (certificate: String, key: String) {
        let folder = SandboxFiles.identityFolder(in: sandboxPath)
        if !File.exists(folder) {
            try File.withFolderHeld(keysFolder) {
                try makeWhole(folder, in: sandboxPath) { try SandboxFiles.makeIdentity(in: $0, ofSandbox: sandboxPath) }
            }
        }
        return SandboxFiles.identityPaths(in: sandboxPath)
    }

    /// Creates a missing folder atomically: fills a draft beside it, then renames the draft. What a killed process left
    /// in the draft is overwritten.
    private func makeWhole(_ folder: String, in parent: String, _ fill: (String) throws -> Void) throws {
        guard !File.exists(folder) else { return }
        let draft = folder + ".draft"
        guard mkdir(draft, 0o700) == 0 || errno == EEXIST else { throw Failure("\(draft): \(File.systemError())") }
        try fill(draft)
        try File.syncFolder(draft)
        guard rename(draft, folder) == 0 else { throw Failure("\(folder): \(File.systemError())") }
        try File.syncFolder(parent)
    }
}
