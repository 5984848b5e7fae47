import Glibc

/// The sockets that `systemd` opened for the gateway (sd_listen_fds(3)). Sockets named `operations` and `control` are for
/// the listeners of these names; all others are for merchants.
struct ServiceSockets {
    /// The first descriptor that may be inherited.
    private static let firstDescriptor: CInt = 3
    private static let countMax = 64

    /// The sockets for the merchants' APIs.
    private(set) var merchants: [CInt] = []
    /// The sockets for the control API.
    private(set) var control: [CInt] = []
    /// The sockets for health and metrics.
    private(set) var operations: [CInt] = []

    /// Reads systemd's environment variables and unsets them. They are used only if they name this process.
    init() throws {
        let count = ServiceNotifier.taken("LISTEN_FDS")
        let process = ServiceNotifier.taken("LISTEN_PID")
        let names = (ServiceNotifier.taken("LISTEN_FDNAMES") ?? "").split(
            separator: ":", omittingEmptySubsequences: false)
        guard let count, process == String(getpid()) else { return }
        guard let count = CInt(count), (0...CInt(Self.countMax)).contains(count) else {
            throw Failure("LISTEN_FDS: expected a number of sockets from 0 to \(Self.countMax), not \(count)")
        }
        for index in 0..<count {
            let descriptor = Self.firstDescriptor + index
            guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else {
                throw Failure("LISTEN_FDS: descriptor \(descriptor) is not open")
            }
            // Checked before use: a number that was not inherited may already belong to a descriptor of this process.
            guard Self.listens(descriptor) else {
                throw Failure("LISTEN_FDS: descriptor \(descriptor) is no TCP socket that listens")
            }
            switch Int(index) < names.count ? names[Int(index)] : "" {
            case "control": control.append(descriptor)
            case "operations": operations.append(descriptor)
            default: merchants.append(descriptor)
            }
        }
    }
    private static func listens(_ descriptor: CInt) -> Bool {
        var value: CInt = 0
        var count = socklen_t(MemoryLayout<CInt>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &value, &count) == 0 && value == 1
    }
}
