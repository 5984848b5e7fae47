import Glibc
internal import Values

/// Copies and removes folders of small files that hold secrets.
enum FolderCopy {
    /// The maximum size of a copied file, in bytes; larger than any key, certificate or password.
    private static let fileByteCountMax = 1 << 20

    /// Copies a folder recursively to a new one that is private to its owner, and syncs it.
    static func copy(_ folder: String, to destination: String) throws {
        guard mkdir(destination, 0o700) == 0 else { throw Failure("\(destination): \(File.systemError())") }
        for name in try names(in: folder) {
            let (source, target) = ("\(folder)/\(name)", "\(destination)/\(name)")
            if isFolder(source) { try copy(source, to: target) } else { try copyFile(source, to: target) }
        }
        try File.syncFolder(destination)
    }

    /// Copies a file to a new one that is private to its owner, and syncs it.
    static func copyFile(_ path: String, to destination: String) throws {
        let content = try File.readSecret(path, byteCountMax: fileByteCountMax, users: .anyone)
        try content.withUnsafeBytes { try File.writeNew(destination, mode: 0o600, $0) }
    }

    /// Removes everything in a folder. Errors are ignored.
    ///
    /// - Parameter last: the name of the file to remove last.
    static func clear(_ folder: String, last: String) {
        let names = ((try? names(in: folder)) ?? []).filter { $0 != last }
        for path in (names + [last]).map({ "\(folder)/\($0)" }) {
            if isFolder(path) { remove(path) } else { unlink(path) }
        }
    }

    /// Removes a folder recursively. Errors are ignored.
    static func remove(_ folder: String) {
        for name in (try? names(in: folder)) ?? [] {
            let path = "\(folder)/\(name)"
            if isFolder(path) { remove(path) } else { unlink(path) }
        }
        rmdir(folder)
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The names of a folder's entries.
    static func names(in folder: String) throws -> [String] {
        guard let listing = opendir(folder) else { throw Failure("\(folder): \(File.systemError())") }
        defer { closedir(listing) }
        var names: [String] = []
        while let entry = readdir(listing) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
