/// Detects a change of files that has settled, so that no file is read while it is being written.
struct WatchedFiles {
    /// The metadata of the files when they were last read, successfully or not.
    private var judged: FileMetadata
    /// The metadata at the last check.
    private var seen: FileMetadata

    init(_ metadata: FileMetadata) {
        judged = metadata
        seen = metadata
    }

    /// Records a check of the files. Returns true if they have changed, and were the same at the previous check.
    mutating func haveSettled(as metadata: FileMetadata) -> Bool {
        defer { seen = metadata }
        return metadata != judged && metadata == seen
    }

    /// Records that the files were read, successfully or not.
    mutating func judge(_ metadata: FileMetadata) {
        judged = metadata
        seen = metadata
    }
}
