/// Tells a change of files that has come to rest: a file is not to be read while it is being written.
struct WatchedFiles {
    /// What is in force, or was refused.
    private var judged: ConfigurationStamp
    /// What was seen when the files were last looked at.
    private var seen: ConfigurationStamp

    init(_ stamp: ConfigurationStamp) {
        judged = stamp
        seen = stamp
    }

    /// Takes note of a look at the files: whether they have changed, and then stood still from the look before to this one.
    mutating func haveSettled(as stamp: ConfigurationStamp) -> Bool {
        defer { seen = stamp }
        return stamp != judged && stamp == seen
    }

    /// Takes note that the files were read, well or not.
    mutating func judge(_ stamp: ConfigurationStamp) {
        judged = stamp
        seen = stamp
    }
}
