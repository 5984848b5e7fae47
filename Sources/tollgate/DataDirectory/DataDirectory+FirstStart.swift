import Glibc

/// Detects a lost database. A used folder without a database must not start as a new one, because the record of used
/// tokens was in the database.
extension DataDirectory {
    /// The name of the marker file of a first start, during which there is no database yet.
    static let firstStartName = "first-start"

    private var firstStartPath: String { path + "/" + Self.firstStartName }

    /// Refuses a folder whose database was lost. Marks a first start until ``endFirstStart()``, so that a start that was
    /// killed can be continued.
    ///
    /// - Parameter isSaidToBeNew: whether to start with an empty database although the folder was used.
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

    /// Removes the marker, since the database exists now. A later start without a database is refused.
    func endFirstStart() throws {
        guard unlink(firstStartPath) == 0 else {
            guard errno == ENOENT else { throw Failure("\(firstStartPath): \(File.systemError())") }
            return
        }
        try File.syncFolder(path)
    }
}
