import Glibc

/// A folder that was used and has no database is no new one: with the database it has lost which tokens were used.
extension DataDirectory {
    /// The file that says that there was no database yet.
    static let firstStartName = "first-start"

    private var firstStartPath: String { path + "/" + Self.firstStartName }

    /// Refuses a folder whose database is gone, and takes note of a first start until ``endFirstStart()``, so that one that is
    /// killed anywhere is gone on with.
    ///
    /// - Parameter isSaidToBeNew: whether it shall begin anew though it was used.
    func beginFirstStart(isSaidToBeNew: Bool) throws {
        var status = stat()
        let byteCount = stat(databasePath, &status) == 0 ? status.st_size : nil
        guard byteCount ?? 0 == 0, !File.exists(firstStartPath) else { return }
        let wasUsed = byteCount != nil || ["clock", Self.keysName].contains { File.exists("\(path)/\($0)") }
        guard !wasUsed || isSaidToBeNew else {
            throw Failure(
                "\(databasePath) is \(byteCount == nil ? "missing" : "empty"), though \(path) was used before"
                    + (File.exists("\(path)/\(Self.keysName)") ? " (it has its \(Self.keysName))" : "")
                    + ": every payment token would be new again. Bring the database back from a copy; or say --new, if "
                    + "all that was in it may be forgotten")
        }
        try File.writePrivate(firstStartPath, "")
        try File.syncFolder(path)
    }

    /// There is a database from now on: another start without one is none of a new folder.
    func endFirstStart() throws {
        guard unlink(firstStartPath) == 0 else {
            guard errno == ENOENT else { throw Failure("\(firstStartPath): \(File.systemError())") }
            return
        }
        try File.syncFolder(path)
    }
}
