import Foundation
import Glibc
import Testing

/// That what was answered survives a loss of power, which no test brings about: a kill spares what the kernel holds. The order
/// of the system's calls shows it.
@Suite(.timeLimit(.minutes(30)))
struct SyncOrderTests {
    /// A call of one thread, as `strace` shows its end.
    private enum Call: Equatable {
        case write
        case sync(isGood: Bool)
        case reply

        init?(_ line: Substring) {
            if line.contains("unfinished ...>") && !line.contains("sendto(") { return nil }
            if line.contains("pwrite64"), line.contains("tollgate.sqlite-wal") || line.contains("resumed") {
                self = .write
            } else if line.contains("fdatasync") || line.contains("fsync") {
                self = .sync(isGood: line.hasSuffix("= 0"))
            } else if line.contains("sendto("), line.contains("HTTP/1.1 201") {
                self = .reply
            } else {
                return nil
            }
        }
    }

    @Test(
        .enabled(if: StoreOutage.canTrace, "strace is not there, or may not trace"),
        arguments: ["AUTHORIZE", "CAPTURE", "REFUND"])
    func `a reply leaves after the sync of what was written for it, and nothing is written in between`(
        operation: String
    ) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        let earlier = ["AUTHORIZE", "CAPTURE", "REFUND"].prefix { $0 != operation }
        func send(_ operation: String) throws {
            let body =
                operation == "AUTHORIZE"
                ? try folder.mintRequest() : PaymentRequest.later(operation, amount: "1.00")
            let reply = try gateway.put(TransactionPath(transaction: operation), body)
            #expect(reply.status == 201, "\(reply.text)")
        }
        for operation in earlier { try send(operation) }

        let output = folder.path + "/trace"
        let tracer = try StoreOutage.tracer(
            gateway.process.identifier, ["-y", "-e", "trace=pwrite64,fsync,fdatasync,sendto", "-o", output], in: folder)
        try send(operation)
        tracer.signal(SIGTERM)
        _ = try tracer.wait()
        let trace = try folder.text("trace")
        let calls = trace.split(separator: "\n").compactMap(Call.init)
        let reply = try #require(calls.firstIndex(of: .reply), "\(trace)")
        #expect(reply >= 2 && calls[reply - 1] == .sync(isGood: true) && calls[reply - 2] == .write, "\(trace)")
    }
}
