/// Why a server could not be started.
public enum HTTPServerError: Error, Equatable {
    /// The host is neither an address nor a name that resolves (`getaddrinfo(3)`).
    case unknownHost(String)
    /// A system call failed.
    ///
    /// - Parameters:
    ///   - call: the name of the call, such as `bind`.
    ///   - errno: the error number of the call.
    case systemCall(_ call: String, errno: Int32)
    /// An inherited descriptor is not a listening TCP socket.
    case notListening(_ descriptor: Int32)
    /// The server has been stopped; a stopped server cannot be started again.
    case stopped
}
