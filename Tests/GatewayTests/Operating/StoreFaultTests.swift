import Foundation
import Glibc
import Testing

/// What a gateway does while its store fails: it says so, loses nothing, and goes on by itself.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct StoreFaultTests {
    @Test(arguments: StoreOutage.plain)
    func `while the store can't be written nothing is acknowledged, and then all is well`(outage: StoreOutage) throws {
        try Self.ride(outage)
    }

    @Test(.enabled(if: StoreOutage.canTrace, "strace is not there, or may not trace"), arguments: StoreOutage.traced)
    func `while the disk fails nothing is acknowledged, and then all is well`(outage: StoreOutage) throws {
        try Self.ride(outage)
    }

    private static let busy =
        #"{"error":{"cause":"SERVER_BUSY","explanation":"The gateway is temporarily unable to process the request. "#
        + #"Send the identical request later."},"result":"ERROR"}"#

    private static func ride(_ outage: StoreOutage) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        let before = TransactionPath(order: "before")
        let first = try folder.mintRequest()
        let kept = try gateway.put(before, first)
        #expect(kept.status == 201)
        let request = try folder.mintRequest()
        let capture = PaymentRequest.later("CAPTURE", amount: "1.00")
        let end = try outage.begin(gateway, in: folder)

        // What would be written is refused, whatever it is; what is there is still shown.
        #expect(try gateway.put(TransactionPath(order: "during"), request).text == busy)
        let captureRefused = try gateway.put(TransactionPath(order: "before", transaction: "2"), capture)
        #expect(captureRefused.status == 503 && captureRefused.text == busy)
        let sessionPath = "/api/rest/version/100/merchant/TESTMERCHANT/session"
        #expect(try gateway.send("POST", sessionPath).status == 503)
        #expect(try gateway.get(before).body == kept.body)
        let unready = try folder.operations("/health/ready") { $0.status == 503 }
        #expect(unready["reason"] == "the store can't be written")
        #expect(try gateway.control("GET", "health").status == 200, "it can still be read")

        try end()
        _ = try folder.operations("/health/ready") { $0.status == 200 }
        let errors = try folder.text("errors")
        #expect(
            errors.contains("store: writing failed, requests get 503: ") && errors.contains(outage.words), "\(errors)")
        #expect(errors.contains("store: writing works again"))

        // The identical requests, as clients were told.
        let done = try gateway.put(TransactionPath(order: "during"), request)
        #expect(done.status == 201)
        let captured = try gateway.put(TransactionPath(order: "before", transaction: "2"), capture)
        #expect(captured.status == 201)
        #expect(captured["order.totalCapturedAmount"] == "1.00")

        gateway.kill()
        let next = try RunningGateway(in: folder)
        defer { next.kill() }
        #expect(try next.put(before, first).body == kept.body)
        #expect(try next.put(TransactionPath(order: "during"), request).body == done.body)
        #expect(try next.put(TransactionPath(order: "before", transaction: "2"), capture).body == captured.body)
    }

    @Test func `a disk with room for less than a transaction is full until it has room for one`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        #expect(try gateway.put(TransactionPath(order: "before"), PaymentRequest.plain("10.00")).status == 201)
        let log = folder.data + "/tollgate.sqlite-wal"
        let size = try #require(try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int)
        // A frame of the log has 24 + 4096 bytes; a transaction takes more than three.
        try StoreOutage.limitFileSize(of: gateway.process.identifier, "\(size + 3 * 4120):", in: folder)
        for number in 0..<3 {
            let path = TransactionPath(order: "during-\(number)")
            #expect(try gateway.put(path, PaymentRequest.plain("10.00")).status == 503)
            #expect(try folder.operations("/health/ready").status == 503)
            // What was found a moment ago stands for a second.
            sleep(2)
            #expect(try folder.operations("/health/ready").status == 503)
        }
        #expect(try !folder.text("errors").contains("works again"))
        try StoreOutage.limitFileSize(of: gateway.process.identifier, "unlimited:", in: folder)
        _ = try folder.operations("/health/ready") { $0.status == 200 }
        #expect(try gateway.put(TransactionPath(order: "after"), PaymentRequest.plain("10.00")).status == 201)
        let lines = try folder.text("errors").split(separator: "\n")
        #expect(lines.count { $0.contains("writing failed") } == 1 && lines.count { $0.contains("works again") } == 1)
    }

    @Test func `what was acknowledged while the disk came and went is there after a kill`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        let clients = (0..<8).map { _ in ClientOfManyOrders(gateway) }
        let threads = clients.enumerated().map { number, client in
            let thread = Thread { client.run("client-\(number)") }
            thread.start()
            return thread
        }
        for outage in [StoreOutage.fileSizeLimit, .lock, .fileSizeLimit] {
            let count = clients.map(\.acknowledgedCount).reduce(0, +)
            while clients.map(\.acknowledgedCount).reduce(0, +) < count + 200 { usleep(1000) }
            let refused = clients.map(\.refusedCount).reduce(0, +)
            let end = try outage.begin(gateway, in: folder)
            while clients.map(\.refusedCount).reduce(0, +) < refused + 16 { usleep(1000) }
            try end()
        }
        gateway.kill()
        for client in clients { client.stop() }
        while !threads.allSatisfy(\.isFinished) { usleep(1000) }

        let next = try RunningGateway(in: folder)
        defer { next.kill() }
        for client in clients {
            #expect(client.unexpected == [])
            for (path, body) in client.acknowledged { #expect(try next.get(path).body == body) }
        }
    }

    @Test func `a corrupt page fails what needs it and nothing else, until it is mended`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        let paths = (10..<70).map { TransactionPath(order: "order-\($0)") }
        let replies = try paths.map { try gateway.put($0, PaymentRequest.plain("10.00")).body }
        #expect(try gateway.stop() == .exited(0))

        let file = folder.data + "/tollgate.sqlite"
        let sound = try Data(contentsOf: URL(fileURLWithPath: file))
        // Leaves of tables begin with 13 (SQLite, "Database File Format", §1.6).
        let pages = stride(from: 4096, to: sound.count, by: 4096).filter { page in
            sound[page] == 13 && Array(sound[page..<page + 4096]).range(of: Array(#""id":"order-40""#.utf8)) != nil
        }
        #expect(!pages.isEmpty)
        try Self.overwrite(file, pages.map { ($0, [0xFF]) })

        let next = try RunningGateway(in: folder)
        defer { next.kill() }
        _ = try folder.operations("/health/ready") { $0.status == 200 }
        let failed = try next.get(paths[30])
        #expect(failed.status == 500)
        #expect(failed["error.cause"] == "SERVER_FAILED")
        let unready = try folder.operations("/health/ready") { $0.status == 503 }
        #expect(unready["reason"] == "the store is corrupt")
        #expect(try next.get(paths[0]).body == replies[0])
        #expect(try next.get(paths[59]).body == replies[59])
        #expect(try next.put(TransactionPath(order: "another"), PaymentRequest.plain("10.00")).status == 201)

        try Self.overwrite(file, pages.map { ($0, [13]) })
        _ = try folder.operations("/health/ready") { $0.status == 200 }
        #expect(try next.get(paths[30]).body == replies[30])
        let errors = try folder.text("errors")
        #expect(errors.contains("store: corrupt") && errors.contains("store: whole again"), "\(errors)")
    }

    private static func overwrite(_ path: String, _ changes: [(offset: Int, bytes: [UInt8])]) throws {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        defer { close(descriptor) }
        for change in changes {
            guard pwrite(descriptor, change.bytes, change.bytes.count, change.offset) == change.bytes.count else {
                throw ChildProcess.Failure.system("pwrite", errno)
            }
        }
    }
}
