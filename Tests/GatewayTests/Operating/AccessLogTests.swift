import Foundation
import Glibc
import JSON
import Testing

/// The access log of the built program.
@Suite(.timeLimit(.minutes(30)))
struct AccessLogTests {
    private static let number = "4929770033314202"
    private static let securityCode = "739150284613"
    private static let marker = "marker-7c1e"

    @Test func `no secret is in the log, wherever a client puts it`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let log = folder.path + "/access.log"
        let gateway = try RunningGateway(in: folder, "--access-log", log)
        defer { gateway.kill() }
        let cryptogram = "q83vASNFZ4mrze8BI0VniavN7w8="
        let token = try folder.mint("5656.00", "--pan", Self.number, "--cryptogram", cryptogram)
        let card: JSONValue = [
            "number": .string(Self.number), "expiry": ["month": "5", "year": "39"],
            "securityCode": .string(Self.securityCode), "nameOnCard": "Ada Secret-Lovelace",
        ]
        let bodies = [
            PaymentRequest.token(token, amount: "5656.00"), PaymentRequest.token(token, amount: "1.00"),
            PaymentRequest.body(amount: "10.00", wallet: nil, card: card),
            PaymentRequest.body(amount: "10.00", operation: Self.number, wallet: nil, card: card),
        ]
        let names = [Self.number, "4929%370033314202", "4929-7700-3331-4202", Self.marker]
        for name in names {
            for body in bodies {
                _ = try gateway.put(TransactionPath(order: name, transaction: name), body)
                _ = try gateway.put(TransactionPath(order: name, merchant: name), body)
            }
            let query = "?sourceOfFunds.provided.card.number=\(name)"
            _ = try gateway.send("GET", TransactionPath(order: name, transaction: name).text + query)
            _ = try gateway.send("GET", TransactionPath().ofOrder + query)
            let wrong = RunningGateway.Credentials(password: name + cryptogram)
            _ = try gateway.send("GET", TransactionPath().text, as: wrong)
        }
        let valid = PaymentRequest.plain("10.00", number: Self.number, securityCode: "100")
        #expect(try gateway.put(TransactionPath(order: Self.marker, transaction: "paid"), valid).status == 201)
        let session = try gateway.send(
            "POST", "/api/rest/version/100/merchant/TESTMERCHANT/session", Array("{}".utf8))["session.id"]
        let id = try #require(session)
        _ = try gateway.send("GET", "/api/rest/version/100/merchant/TESTMERCHANT/session/\(id)")
        _ = try gateway.send("GET", TransactionPath(order: id).text)

        #expect(try gateway.stop() == .exited(0))
        let written = try folder.read("access.log")
        let scanner = SecretScanner([
            .init("number", Self.number), .init("security code", Self.securityCode), .init("cryptogram", cryptogram),
            .init("name", "Secret-Lovelace"), .init("session", id), .init("password", gateway.credentials.password),
        ])
        #expect(scanner.findings(in: written) == [])
        // The search works: it is in a log that has all requests.
        #expect(scanner.findings(in: written + Array(" \(Self.number)".utf8)) == ["number, plain"])
        let lines = try written.split(separator: UInt8(ascii: "\n")).map { try JSONValue(parsing: Array($0)) }
        #expect(lines.count == names.count * (2 * bodies.count + 3) + 4)
        #expect(lines.contains { $0["order"] == .string(Self.marker) && $0["gatewayCode"] == "APPROVED" })
        #expect(lines.contains { $0["order"] == "xxxxxxxxxxxx4202" })
        let identifiers = lines.compactMap { line -> String? in
            if case .string(let text)? = line["id"] { text } else { nil }
        }
        #expect(Set(identifiers).count == lines.count)
    }

    @Test func `a line is known by the identifier that the client got`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        let identifiers = try (1...3).map { _ in try gateway.get(TransactionPath()).field("x-request-id") }
        // The banner comes first.
        #expect(try gateway.process.output(until: "/transaction/1\"\n").contains("This is a sandbox"))
        for identifier in identifiers {
            _ = try gateway.process.output(until: "\"id\":\"\(try #require(identifier))\"")
        }
    }

    @Test func `SIGHUP reopens a log file that was moved away`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder, "--access-log", folder.path + "/access.log")
        defer { gateway.kill() }
        let first = try #require(try gateway.get(TransactionPath()).field("x-request-id"))
        try FileManager.default.moveItem(atPath: folder.path + "/access.log", toPath: folder.path + "/access.log.1")
        gateway.process.signal(SIGHUP)
        _ = try gateway.process.output(until: "(reloaded)\n")
        let second = try #require(try gateway.get(TransactionPath()).field("x-request-id"))
        #expect(try gateway.stop() == .exited(0))
        #expect(try folder.text("access.log").contains(second))
        #expect(try !folder.text("access.log").contains(first))
        #expect(try folder.text("access.log.1").contains(first) == true)
        #expect(try folder.mode("access.log") == 0o640)
    }

    @Test func `a log can be switched off, and one that can't be written to is refused`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder, environment: ["TOLLGATE_ACCESS_LOG": "off"])
        defer { gateway.kill() }
        let identifier = try #require(try gateway.get(TransactionPath()).field("x-request-id"))
        #expect(try gateway.stop() == .exited(0))
        #expect(try !String(decoding: gateway.process.outputToEnd(), as: UTF8.self).contains(identifier))

        let refused = try folder.run(
            "serve", "--port", "0", "--data", folder.data, "--access-log", folder.path + "/none/access.log")
        #expect(refused.status != 0)
        #expect(refused.errors.contains("access log: \(folder.path)/none/access.log: No such file or directory"))
    }

    @Test func `a gateway goes on while nobody reads its output, and counts the lines that it drops`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        let request = "GET /api/rest/version/100/information HTTP/1.1\r\nHost: a\r\n\r\n"
        let connection = try HTTPConnection(port: gateway.port)
        // More than a pipe holds, and the lines that are gathered.
        for _ in 0..<120 {
            try connection.send(String(repeating: request, count: 50))
            for _ in 0..<50 { #expect(try connection.receiveResponse().status == 200) }
        }
        let metrics = try folder.operations("/metrics").text
        let dropped = try #require(metrics.firstMatch(of: /tollgate_access_log_lines_dropped_total (\d+)/))
        #expect(try #require(Int(dropped.1)) > 0)
        // Neither a reload nor the end waits for a reader.
        for _ in 0..<3 { gateway.process.signal(SIGHUP) }
        #expect(try gateway.get(TransactionPath()).status == 400)
        gateway.process.signal(SIGTERM)
        #expect(gateway.process.hasEnded())
        #expect(try gateway.process.wait() == .exited(0))
        let output = try gateway.process.outputToEnd()
        #expect(output.starts(with: Array("listening on ".utf8)))
    }

    @Test func `a gateway goes on when the reader of its output is gone`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let shell = try ChildProcess(
            "/bin/sh",
            [
                "-c", #""$0" serve --port 0 --operations-port 0 --data "$1" | head -n 1"#, try BuiltProgram.path(),
                folder.data,
            ], errors: folder.errors)
        defer { shell.kill() }
        let line = try shell.firstLine()
        let port = try #require(line.split(separator: ":").last.flatMap { UInt16($0) })
        for _ in 0..<3 {
            #expect(try Exchange.reply("GET", "/api/rest/version/100/information", port: port).status == 200)
        }
        _ = try folder.operations("/metrics") { !$0.text.contains("tollgate_access_log_lines_dropped_total 0\n") }
        let process = try #require(try folder.processHoldingLock())
        kill(process, SIGTERM)
        #expect(try shell.wait() == .exited(0))
    }
}

extension TestFolder {
    /// The process that holds the data directory's lock, as the kernel tells.
    func processHoldingLock() throws -> pid_t? {
        let attributes = try FileManager.default.attributesOfItem(atPath: data + "/lock")
        let inode = try #require(attributes[.systemFileNumber] as? Int)
        let locks = try String(contentsOfFile: "/proc/locks", encoding: .utf8)
        return locks.split(separator: "\n").first { $0.contains(":\(inode) ") }.flatMap { line in
            line.split(separator: " ").dropFirst(4).first.flatMap { pid_t($0) }
        }
    }
}
