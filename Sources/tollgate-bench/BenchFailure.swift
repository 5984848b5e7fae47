import Glibc

/// The reason why a measurement can't be taken or trusted.
struct BenchFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    /// Creates the failure of the last system call, from `errno`.
    init(systemCall: String) { description = "\(systemCall): \(String(cString: strerror(errno)))" }
}
