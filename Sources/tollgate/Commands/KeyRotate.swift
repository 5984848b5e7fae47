import ArgumentParser
import OpenSSL
import Values
import Vault

/// `tollgate key rotate`: rotates the sealing key in two steps.
struct KeyRotate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Add a key to installation.key, which opens at first; with --seal it is the one that seals.",
        discussion: """
            Gateways on one database must all know a key before any of them seals under it. So the first step adds a key \
            that opens and does not seal: give the file to every gateway. A running gateway takes it up within seconds, or at \
            once on SIGHUP, and says so on standard output. Then the second step (--seal) makes it the key that seals, and \
            the file goes to every gateway once more. What was sealed before opens as before, and is sealed again whenever it \
            is next written: sessions within the time that they last, tokens when they are next used or updated. Requests \
            and payment tokens are always recognised under the first key, since what they were recognised by is kept \
            nowhere. So the earlier keys stay in the file: keep it with the database.
            """)

    @Option(help: ArgumentHelp("The data directory.", valueName: "folder"))
    var data = DataDirectory.defaultPath

    @Option(help: ArgumentHelp("The folder with the keys, if it is another one.", valueName: "folder"))
    var keysFolder: String?

    @Flag(help: "The second step: seal under the key that was added, which every gateway knows by now.")
    var seal = false

    func run() throws {
        let folder = keysFolder ?? data
        guard File.exists(folder) else {
            throw Failure("\(folder): no such \(keysFolder == nil ? "data directory" : "folder")")
        }
        let directory = try DataDirectory(folder)
        let ring = try directory.changeKeys(seal ? sealing(in: directory) : adding(in: directory))
        StandardOutput.writeLine("\(directory.keysPath) has \(ring.summary)")
        StandardOutput.writeLine(
            seal
                ? "give it to every gateway: a running one takes it up within seconds, or at once on SIGHUP"
                : "give it to every gateway; once each has said on standard output that it has \(ring.count) keys: "
                    + "tollgate key rotate --seal")
    }

    private func adding(in directory: DataDirectory) -> (KeyRing, SecretBytes) throws -> SecretBytes {
        { ring, before in
            guard !ring.hasWaitingKey else {
                throw Failure(
                    "\(directory.keysPath): a new key waits already; once every gateway knows it: tollgate key rotate --seal"
                )
            }
            guard before.count / KeyRing.keyByteCount + 2 <= KeyRing.countMax else {
                throw Failure("\(directory.keysPath): it has room for \(KeyRing.countMax) keys, and no more fit")
            }
            let fresh = RandomBytes.secret(KeyRing.keyByteCount)
            return SecretBytes(count: before.count + 2 * KeyRing.keyByteCount) { bytes in
                before.withUnsafeBytes { before in
                    bytes.copyMemory(from: before)
                    let last = UnsafeRawBufferPointer(rebasing: before.suffix(KeyRing.keyByteCount))
                    UnsafeMutableRawBufferPointer(rebasing: bytes.suffix(KeyRing.keyByteCount)).copyMemory(from: last)
                }
                fresh.withUnsafeBytes {
                    UnsafeMutableRawBufferPointer(rebasing: bytes[before.count...]).copyMemory(from: $0)
                }
            }
        }
    }

    private func sealing(in directory: DataDirectory) -> (KeyRing, SecretBytes) throws -> SecretBytes {
        { ring, before in
            guard ring.hasWaitingKey else {
                throw Failure(
                    "\(directory.keysPath): no new key waits to seal; the first step adds one: tollgate key rotate")
            }
            return before.withUnsafeBytes {
                SecretBytes(copying: UnsafeRawBufferPointer(rebasing: $0.dropLast(KeyRing.keyByteCount)))
            }
        }
    }
}

extension KeyRing {
    /// The number of keys, and which of them is used for sealing.
    var summary: String {
        hasWaitingKey
            ? "\(count) keys; the new one opens and does not seal yet"
            : "\(count) key\(count == 1 ? "" : "s"); the last one seals"
    }
}
