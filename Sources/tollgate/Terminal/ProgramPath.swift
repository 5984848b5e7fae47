import Glibc

/// The path of the running program.
enum ProgramPath {
    /// The absolute path of its file; nil if the system doesn't report it.
    static let current: String? = {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &path, path.count)
        return count > 0 ? String(decoding: path[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }()
}
