/// Detects a change of files that has settled, so that no file is read while it is being written.
struct WatchedFiles {
    /// The stamp of the files that are in force or were refused.
    private var judged: ConfigurationStamp
    /// The stamp at the last check.
    private var seen: ConfigurationStamp

    init(_ stamp: ConfigurationStamp) {
        judged = stamp
        seen = stamp
    }

    /// Records a check of the files. Returns true if they have changed, and were the same at the previous check.
    mutating func haveSettled(as stamp: ConfigurationStamp) -> Bool {
        defer { seen = stamp }
        return stamp != judged && stamp == seen
    }

    /// Records that the files were read, successfully or not.
    mutating func judge(_ stamp: ConfigurationStamp) {
        judged = stamp
        seen = stamp
    }
}
