import Foundation
import Glibc
import Testing

/// The built program under a service manager that speaks `systemd`'s protocols.
@Suite(.timeLimit(.minutes(30)))
struct ServiceNotifierTests {
    @Test(arguments: [false, true])
    func `a service manager is notified of start, reload, life and end`(isAbstract: Bool) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let manager = try NotifySocket(in: folder, isAbstract: isAbstract)
        let gateway = try RunningGateway(
            in: folder, environment: ["NOTIFY_SOCKET": manager.name, "WATCHDOG_USEC": "200000"])
        defer { gateway.kill() }
        #expect(try manager.next() == "READY=1\nSTATUS=Listening on 127.0.0.1:\(gateway.port)")
        for _ in 0..<2 { #expect(try manager.next() == "WATCHDOG=1") }

        gateway.process.signal(SIGHUP)
        let reloading = try manager.nextButWatchdog()
        #expect(reloading.wholeMatch(of: /RELOADING=1\nMONOTONIC_USEC=[0-9]+\nSTATUS=.*/) != nil)
        #expect(try manager.nextButWatchdog().hasPrefix("READY=1\n"))

        gateway.process.signal(SIGTERM)
        #expect(try manager.nextButWatchdog() == "STOPPING=1\nSTATUS=Finishing the requests in flight")
        #expect(try gateway.process.wait() == .exited(0))
    }

    @Test(arguments: ["relative", "@", "/", "/nowhere/at/all", "vsock:2:1", "/" + String(repeating: "x", count: 200)])
    func `an address where nobody listens changes nothing`(name: String) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(
            in: folder, environment: ["NOTIFY_SOCKET": name, "WATCHDOG_USEC": "1000", "WATCHDOG_PID": "1"])
        defer { gateway.kill() }
        #expect(try gateway.get(TransactionPath()).status == 400)
        #expect(try gateway.stop() == .exited(0))
        #expect(try folder.text("errors").isEmpty)
    }

    @Test func `sockets that the manager opened are served in place of addresses`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let (first, operations, second) = (try SilentListener(), try SilentListener(), try SilentListener())
        // A client that comes before the gateway is served, too.
        let early = try HTTPConnection(port: second.port)
        let path = "/api/rest/version/100/information"
        try early.send("GET \(path) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        let process = try ChildProcess(
            "/bin/sh",
            [
                "-c", #"LISTEN_PID=$$ exec "$0" serve --port 1 --operations-port 1 --data "$1""#,
                try BuiltProgram.path(), folder.data,
            ],
            environment: ["LISTEN_FDS": "3", "LISTEN_FDNAMES": "tollgate:operations:tollgate.socket"],
            errors: folder.errors, descriptors: [first.descriptor, operations.descriptor, second.descriptor])
        defer { process.kill() }
        #expect(try process.firstLine() == "listening on http://127.0.0.1:\(first.port)")
        #expect(try HTTPReply(only: try early.receiveToEnd()).status == 200)
        #expect(try Exchange.reply("GET", path, port: first.port).status == 200)
        #expect(try folder.readyFile("operationsURL") == "http://127.0.0.1:\(operations.port)")
        #expect(try folder.operations("/health/ready").status == 200)
        process.signal(SIGTERM)
        #expect(try process.wait() == .exited(0))
    }

    @Test func `sockets for another process are not touched`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder, environment: ["LISTEN_FDS": "1", "LISTEN_PID": "1"])
        defer { gateway.kill() }
        #expect(try gateway.get(TransactionPath()).status == 400)
    }

    @Test(arguments: [
        ("-1", "", "a number of sockets"), ("x", "", "a number of sockets"), ("65", "", "a number of sockets"),
        ("64", "", "descriptor 3 is no TCP socket"), ("1", "tollgate", "no TCP socket that listens"),
        ("1", "operations", "no TCP socket that listens"), ("1", "control", "requires --control-port"),
    ])
    func `descriptors that are no sockets are refused`(count: String, names: String, reason: String) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let (pipe, listener) = (Pipe(), try SilentListener())
        let process = try ChildProcess(
            "/bin/sh",
            [
                "-c", #"LISTEN_PID=$$ exec "$0" serve --port 0 --operations-port 0 --data "$1""#,
                try BuiltProgram.path(), folder.data,
            ], environment: ["LISTEN_FDS": count, "LISTEN_FDNAMES": names], errors: folder.errors,
            descriptors: [names == "control" ? listener.descriptor : pipe.fileHandleForReading.fileDescriptor])
        defer { process.kill() }
        #expect(try process.wait() == .exited(1))
        let errors = try folder.text("errors")
        #expect(errors.contains("LISTEN_FDS") && errors.contains(reason), "\(errors)")
    }

    @Test(arguments: ["1", "2", "3", "8"])
    func `sockets that were not handed over are refused`(count: String) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let process = try ChildProcess(
            "/bin/sh",
            [
                "-c", #"LISTEN_PID=$$ exec "$0" serve --port 0 --operations-port 0 --data "$1""#,
                try BuiltProgram.path(), folder.data,
            ], environment: ["LISTEN_FDS": count], errors: folder.errors)
        defer { process.kill() }
        #expect(try process.wait() == .exited(1))
        #expect(try folder.text("errors").contains("LISTEN_FDS: descriptor"))
    }
}

/// Where a service manager listens for what its services tell.
private final class NotifySocket {
    /// As it is put into the environment.
    let name: String
    private let descriptor: Int32

    init(in folder: TestFolder, isAbstract: Bool) throws {
        name = isAbstract ? "@" + folder.path : folder.path + "/notify"
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var wait = timeval(tv_sec: Int(Patience.seconds), tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(name.utf8)
        if isAbstract { bytes[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count + (isAbstract ? 0 : 1))
        let result = withUnsafePointer(to: &address) { [descriptor] pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
        }
        guard result == 0 else { throw HTTPConnection.Failure.system("bind", errno) }
    }

    deinit { close(descriptor) }

    /// The next message.
    func next() throws -> String {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count >= 0 else { throw HTTPConnection.Failure.system("recv", errno) }
        return String(decoding: buffer[..<count], as: UTF8.self)
    }

    /// The next message that tells more than that the service lives.
    func nextButWatchdog() throws -> String {
        while true {
            let message = try next()
            if message != "WATCHDOG=1" { return message }
        }
    }
}
