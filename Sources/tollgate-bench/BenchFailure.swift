import Glibc

/// Why a measurement can't be taken or trusted.
struct BenchFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    /// A system call that failed just now.
    init(systemCall: String) { description = "\(systemCall): \(String(cString: strerror(errno)))" }
}
