/// Why a server could not be started.
public enum HTTPServerError: Error, Equatable {
    /// The host is neither an address nor a name that resolves (`getaddrinfo(3)`).
    case unknownHost(String)
    /// A system call failed.
    /// - Parameters:
    ///   - call: its name, such as `bind`.
    ///   - errno: the error number that it left.
    case systemCall(_ call: String, errno: Int32)
    /// A descriptor that was to be inherited is no TCP socket that listens.
    case notListening(_ descriptor: Int32)
    /// The server has been stopped; a stopped server cannot be started again.
    case stopped
}
