import Foundation
import Glibc
import JSON
import Testing

/// What probes, scrapers and readers of logs see of the built program.
@Suite(.timeLimit(.minutes(30)))
struct OperationsTests {
    @Test func `from SIGTERM on the gateway is not ready, and finishes the requests in flight`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        #expect(try folder.run("ready", "--data", folder.data).status == 0)
        _ = try gateway.control("POST", "outcomes", #"{"order":"order-1","latencyMilliseconds":4000}"#)
        let request = PaymentRequest.plain("10.00")
        let slow = try HTTPConnection(port: gateway.port)
        try slow.send(Array(gateway.head(of: TransactionPath(), request.count).utf8) + request)
        try gateway.waitUntilUnderWay(in: folder)

        gateway.process.signal(SIGTERM)
        let refused = try folder.operations("/health/ready") { $0.status == 503 }
        #expect(refused["status"] == "NOT_READY")
        #expect(refused["reason"] == "the gateway was told to stop, and finishes the requests in flight")
        #expect(try folder.operations("/health/live").status == 200)
        let asked = try folder.run("ready", "--data", folder.data)
        #expect(asked.status == 1)
        #expect(asked.errors == "not ready: the gateway was told to stop, and finishes the requests in flight\n")
        #expect(!HTTPConnection.isListening(gateway.port))

        let reply = try HTTPReply(only: try slow.receiveToEnd())
        #expect(reply.status == 201)
        #expect(reply.field("connection") == "close")
        #expect(try gateway.process.wait() == .exited(0))
        #expect(try folder.text("errors").isEmpty)
        #expect(try !TestFolder.files(below: folder.data).contains(folder.data + "/gateway.json"))
    }

    @Test func `what has not finished in time is cut, and reported`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder, "--drain-seconds", "1")
        defer { gateway.kill() }
        _ = try gateway.control("POST", "outcomes", #"{"order":"order-1","latencyMilliseconds":100000}"#)
        let request = PaymentRequest.plain("10.00")
        let slow = try HTTPConnection(port: gateway.port)
        try slow.send(Array(gateway.head(of: TransactionPath(), request.count).utf8) + request)
        try gateway.waitUntilUnderWay(in: folder)
        #expect(try gateway.stop() == .exited(0))
        #expect(try folder.text("errors") == "1 connection with requests in flight after 1 s: cut\n")
    }

    @Test func `ready says why a gateway is not`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        func ready(_ arguments: String...) throws -> (Int32, String) {
            let result = try folder.run(["ready"] + arguments)
            return (result.status, result.errors)
        }
        #expect(
            try ready("--data", folder.data)
                == (
                    1, "not ready: no gateway runs on \(folder.data): there is no \(folder.data)/gateway.json to read\n"
                ))
        // It asks, and makes nothing.
        #expect(!FileManager.default.fileExists(atPath: folder.data))

        let gateway = try RunningGateway(in: folder, "--operations-host", "::1")
        defer { gateway.kill() }
        let url = try folder.readyFile("operationsURL")
        #expect(url.hasPrefix("http://[::1]:"))
        #expect(try folder.mode("data/gateway.json") == 0o600)
        #expect(try ready("--data", folder.data) == (0, ""))
        #expect(try ready("--url", url) == (0, ""))
        #expect(try ready("--url", url + "/health/live", "--timeout", "60") == (0, ""))
        #expect(try ready("--url", url + "/nowhere") == (1, "not ready: no such path\n"))
        #expect(try ready("--url", "http://127.0.0.1:\(gateway.port)").0 == 1)

        // A gateway that was killed leaves its file behind, and another one may get its port.
        gateway.kill()
        let refused = try ready("--data", folder.data)
        #expect(refused == (1, "not ready: \(url): Connection refused\n"))
        let port = try #require(url.split(separator: ":").last.map(String.init))
        let other = try ChildProcess(
            try BuiltProgram.path(),
            [
                "serve", "--port", "0", "--operations-host", "::1", "--operations-port", port, "--data",
                folder.path + "/other",
            ], errors: folder.errors)
        defer { other.kill() }
        _ = try other.output(until: "operations ")
        #expect(
            try ready("--data", folder.data)
                == (1, "not ready: the gateway of this data directory is gone: something else answers at \(url)\n"))
        #expect(try ready("--data", folder.path + "/other") == (0, ""))
    }

    @Test(arguments: [
        "", "https://127.0.0.1:1", "http://", "http://127.0.0.1:70000", "http://[::1:80", "http://127.0.0.1:80 x",
        "http://[::1]80", "http://a:b@c",
    ])
    func `ready refuses what is no URL of its kind`(url: String) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let result = try folder.run("ready", "--url", url)
        #expect(result.status == 1)
        #expect(result.errors == "not ready: \(url): expected http://host:port\n")
    }

    @Test func `ready waits no longer than it is told`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let silent = try SilentListener()
        let result = try folder.run("ready", "--url", "http://127.0.0.1:\(silent.port)", "--timeout", "0.05")
        #expect(result.status == 1)
        #expect(result.errors == "not ready: http://127.0.0.1:\(silent.port): no answer in time\n")
        #expect(try folder.run("ready", "--timeout", "0").status == 64)
    }

    @Test func `metrics count what happened`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        let request = try folder.mintRequest()
        #expect(try gateway.put(TransactionPath(), request).status == 201)
        #expect(try gateway.put(TransactionPath(order: "again"), request).status == 400)
        #expect(try gateway.get(TransactionPath()).status == 200)
        let raw = try HTTPConnection(port: gateway.port)
        try raw.send("GET / HTTP/1.1\r\n\r\n")
        #expect(try HTTPReply(only: try raw.receiveToEnd()).status == 400)

        let metrics = try folder.operations("/metrics").text.split(separator: "\n").map(String.init)
        let path = "/api/rest/version/{version}/merchant/{merchantId}/order/{orderId}/transaction/{transactionId}"
        for line in [
            #"tollgate_requests_total{route="\#(path)",operation="AUTHORIZE",outcome="success"} 1"#,
            #"tollgate_requests_total{route="\#(path)",operation="AUTHORIZE",outcome="refused"} 1"#,
            #"tollgate_requests_total{route="\#(path)",operation="RETRIEVE_TRANSACTION",outcome="success"} 1"#,
            #"tollgate_token_refusals_total{step="replay"} 1"#,
            #"tollgate_http_refusals_total{status="400"} 1"#,
            #"tollgate_stage_duration_seconds_count{stage="open"} 2"#,
            #"tollgate_store_batch_size_sum{kind="transactions"} 2"#,
            #"tollgate_connections_accepted_total{listener="merchants"} 4"#,
            "tollgate_access_log_lines_dropped_total 0", #"tollgate_build_info{version="1.0.0"} 1"#,
        ] {
            #expect(metrics.contains(line), "\(line)")
        }
        #expect(metrics.contains { $0.hasPrefix("tollgate_certificate_days_left{merchant=\"TESTMERCHANT\"") })
    }

    @Test func `without a port for operations a gateway finds one beside another gateway`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateways = try ["a", "b"].map { name in
            try ChildProcess(
                try BuiltProgram.path(), ["serve", "--port", "0", "--data", "\(folder.path)/\(name)"],
                errors: folder.errors)
        }
        defer { for gateway in gateways { gateway.kill() } }
        let addresses = try gateways.map { gateway in
            try gateway.output(until: "/metrics\n").firstMatch(of: /operations  (http:\S+)\//).map { String($0.1) }
        }
        #expect(Set(addresses).count == 2)
        for (name, address) in zip(["a", "b"], addresses) {
            #expect(try folder.readyFile("operationsURL", in: name) == address)
            #expect(try folder.run("ready", "--data", "\(folder.path)/\(name)").status == 0)
        }
        // One that is asked for is taken, or refused.
        let port = try #require(addresses[0]?.split(separator: ":").last.map(String.init))
        let third = try folder.run(
            "serve", "--port", "0", "--operations-port", port, "--data", folder.path + "/c")
        #expect(third.status != 0)
        #expect(third.errors.contains("127.0.0.1:\(port)") && third.errors.contains("--operations-port"))
    }
}

extension TestFolder {
    /// A text of `gateway.json`.
    func readyFile(_ member: String, in data: String = "data") throws -> String {
        let content = try JSONValue(parsing: Array(try text("\(data)/gateway.json").utf8))
        guard case .string(let text)? = content[member] else { throw HTTPConnection.Failure.notHTTP(member) }
        return text
    }

    /// The operations listener's answer, once it is as it should be.
    func operations(_ path: String, once isRight: (HTTPReply) -> Bool = { _ in true }) throws -> HTTPReply {
        let url = try readyFile("operationsURL")
        guard let port = url.split(separator: ":").last.flatMap({ UInt16($0) }) else {
            throw HTTPConnection.Failure.notHTTP(url)
        }
        for _ in 0..<Patience.seconds * 50 {
            let reply = try Exchange.reply("GET", path, port: port)
            if isRight(reply) { return reply }
            usleep(20_000)
        }
        throw HTTPConnection.Failure.tookTooLong
    }
}

extension RunningGateway {
    /// Waits until a request is with its handler.
    func waitUntilUnderWay(in folder: TestFolder) throws {
        _ = try folder.operations("/metrics") {
            $0.text.contains("tollgate_requests_under_way{listener=\"merchants\"} 1\n")
        }
    }
}

/// A port of this machine that takes connections and says nothing.
final class SilentListener {
    let descriptor: Int32
    let port: UInt16

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { [descriptor] pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) | listen(descriptor, 16) | getsockname(descriptor, $0, &length)
            }
        }
        guard result == 0 else { throw HTTPConnection.Failure.system("listen", errno) }
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(descriptor) }
}
