import Glibc
import HTTPServer

/// Notifies `systemd`, or another manager with its protocol, of the gateway's state (sd_notify(3)). Does nothing
/// without a manager.
///
/// Each notification is one datagram, sent without waiting.
struct ServiceNotifier: Sendable {
    /// The address of the manager's socket; nil without a manager.
    private let address: [UInt8]?
    /// The watchdog timeout, in microseconds; nil if there is no watchdog.
    private let watchdogMicroseconds: UInt64?

    /// Reads the manager's environment variables and unsets them, since a child of this process is not the service.
    init() {
        let socket = Self.taken("NOTIFY_SOCKET")
        let watchdog = Self.taken("WATCHDOG_USEC").flatMap { UInt64($0) }
        let watched = Self.taken("WATCHDOG_PID")
        address = socket.flatMap(Self.address)
        watchdogMicroseconds = watched == nil || watched == String(getpid()) ? watchdog : nil
    }

    /// Returns a variable's value, and unsets the variable.
    static func taken(_ variable: String) -> String? {
        let value = getenv(variable).map { String(cString: $0) }
        unsetenv(variable)
        return value
    }

    /// A path, or after an `@` a name in the abstract namespace, as in unix(7).
    private static func address(_ name: String) -> [UInt8]? {
        var bytes = Array(name.utf8)
        guard let first = bytes.first, bytes.count > 1, bytes.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path)
        else { return nil }
        switch first {
        case UInt8(ascii: "/"): return bytes
        case UInt8(ascii: "@"):
            bytes[0] = 0
            return bytes
        default: return nil
        }
    }

    /// Reports that the gateway is listening.
    func ready(_ status: String) { notify("READY=1\nSTATUS=\(status)") }

    /// Reports that the configuration is being reloaded; ``ready(_:)`` follows.
    func reloading() {
        notify(
            "RELOADING=1\nMONOTONIC_USEC=\(SystemClock.monotonicNanoseconds() / 1000)\nSTATUS=Reading the configuration"
        )
    }

    /// Reports that the gateway is stopping.
    func stopping(_ status: String) { notify("STOPPING=1\nSTATUS=\(status)") }

    /// Sends a keep-alive twice per watchdog timeout, as long as every event loop makes progress.
    func watch(_ servers: [HTTPServer]) -> Task<Void, Never>? {
        guard let watchdogMicroseconds, address != nil else { return nil }
        return Task {
            while !Task.isCancelled {
                for server in servers { await server.pingEventLoops() }
                notify("WATCHDOG=1")
                try? await Task.sleep(for: .microseconds(Int64(clamping: watchdogMicroseconds / 2)))
            }
        }
    }

    private func notify(_ message: String) {
        guard let address else { return }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var target = sockaddr_un()
        target.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &target.sun_path) { $0.copyBytes(from: address) }
        // The address length delimits an abstract name; a path ends with a NUL.
        let length = MemoryLayout<sa_family_t>.size + address.count + (address[0] == 0 ? 0 : 1)
        let bytes = Array(message.utf8)
        _ = withUnsafePointer(to: &target) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(
                    descriptor, bytes, bytes.count,
                    Int32(truncatingIfNeeded: MSG_NOSIGNAL) | Int32(truncatingIfNeeded: MSG_DONTWAIT), $0,
                    socklen_t(length))
            }
        }
    }
}
