import Foundation
import Glibc
import Testing

/// What a gateway does while its disk doesn't answer those who read: it holds nobody up who needs no disk, refuses the
/// others in time, and goes on by itself.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct SlowReadTests {
    /// Longer than any step here takes, on whatever machine.
    private static let delay = "pread64:delay_enter=100000000"

    @Test(.enabled(if: StoreOutage.canTrace, "strace is not there, or may not trace"))
    func `reads that hang are refused in time, and hold up nobody who needs no disk`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        let path = TransactionPath(order: "before")
        let kept = try gateway.put(path, PaymentRequest.plain("10.00"))
        #expect(kept.status == 201)
        let session = try #require(try gateway.send("POST", Self.sessions)["session.id"])
        // What was written last has made the readers forget what they had in memory.
        #expect(try gateway.put(TransactionPath(order: "another"), PaymentRequest.plain("10.00")).status == 201)

        let tracer = try StoreOutage.tracer(
            gateway.process.identifier,
            ["-e", "trace=pread64", "-e", "inject=\(Self.delay)", "-o", "/dev/null"], in: folder)
        // More than there are event loops and threads that read.
        let readers = try (0..<24).map { number in
            let reader = try HTTPConnection(port: gateway.port)
            let asked = [path.text, path.ofOrder, "\(Self.sessions)/\(session)"][number % 3]
            try reader.send(
                "GET \(asked) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\(gateway.credentials.field)\r\n")
            return reader
        }
        let information = try gateway.send("GET", "/api/rest/version/100/information")
        #expect(information.status == 200)
        #expect(try folder.operations("/health/live").status == 200)
        let unready = try folder.operations("/health/ready") { $0.status == 503 }
        #expect(unready["reason"] == "the store can't be read")
        for reader in readers {
            let reply = try HTTPReply(only: try reader.receiveToEnd())
            #expect(reply.status == 503 && reply["error.cause"] == "SERVER_BUSY", "\(reply.text)")
        }
        // The threads that hang are not asked any more, and still others are answered.
        #expect(try gateway.get(path).status == 503)

        tracer.signal(SIGTERM)
        _ = try tracer.wait()
        _ = try folder.operations("/health/ready") { $0.status == 200 }
        #expect(try gateway.get(path).body == kept.body)
        #expect(try gateway.send("GET", path.ofOrder).status == 200)
        #expect(try gateway.send("GET", "\(Self.sessions)/\(session)").status == 200)
        let errors = try folder.text("errors")
        #expect(errors.contains("store: reading failed, requests get 503: "), "\(errors)")
        #expect(errors.contains("store: reading works again"), "\(errors)")
        #expect(try gateway.stop() == .exited(0))
    }

    private static let sessions = "/api/rest/version/100/merchant/TESTMERCHANT/session"
}
