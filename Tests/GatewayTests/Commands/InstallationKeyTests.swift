import Foundation
import Glibc
import JSON
import Testing

/// The keys of an installation, and what is sealed under them.
struct InstallationKeyTests {
    private static let number = "5123450000000008"
    private static let base = "/api/rest/version/100/merchant/TESTMERCHANT"
    private static let card: JSONValue = [
        "sourceOfFunds": [
            "provided": [
                "card": [
                    "expiry": ["month": "05", "year": "39"], "number": .string(number), "securityCode": "9172",
                ]
            ]
        ]
    ]

    /// A session and a token on a running gateway, both of the card.
    private static func store(on gateway: RunningGateway) throws -> (session: String, token: String) {
        let created = try gateway.send("POST", base + "/session", [])
        let session = try #require(created["session.id"])
        let updated = try gateway.send("PUT", "\(base)/session/\(session)", card.serialized())
        #expect(updated.status == 200)
        let tokenized = try gateway.send("POST", base + "/token", card.serialized())
        return (session, try #require(tokenized["token"]))
    }

    private static func pay(_ gateway: RunningGateway, _ order: String, _ member: String, _ value: JSONValue) throws
        -> HTTPReply
    {
        var request: JSONObject = ["apiOperation": "PAY", "order": ["amount": "10.00", "currency": "USD"]]
        request[member] = value
        return try gateway.put(TransactionPath(order: order), JSONValue.object(request).serialized())
    }

    @Test func `over a rotation and a restart nothing is lost, recognised twice or left in clear`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let first = try RunningGateway(in: folder)
        let request = try folder.mintRequest()
        let authorized = try first.put(TransactionPath(), request)
        #expect(authorized.status == 201)
        let (session, token) = try Self.store(on: first)
        let keyBefore = try folder.read("data/installation.key")
        #expect(keyBefore.count == 32)
        // A gateway that runs is none the worse for it.
        let rotated = try folder.run(["key", "rotate", "--data", folder.data])
        #expect(rotated.status == 0)
        #expect(rotated.text.contains("installation.key has 2 keys; the new one opens and does not seal yet"))
        #expect(try first.send("GET", "\(Self.base)/session/\(session)").status == 200)
        let sealed = try folder.run(["key", "rotate", "--seal", "--data", folder.data])
        #expect(sealed.status == 0)
        #expect(sealed.text.contains("installation.key has 2 keys; the last one seals"))
        #expect(try first.stop() == .exited(0))
        let keys = try folder.read("data/installation.key")
        #expect(keys.count == 64 && Array(keys[..<32]) == keyBefore)
        #expect(try folder.mode("data/installation.key") == 0o600)

        let second = try RunningGateway(in: folder)
        defer { second.kill() }
        #expect(try second.put(TransactionPath(), request).body == authorized.body)
        let replayed = try second.put(TransactionPath(order: "order-2"), request)
        #expect(replayed["error.explanation"]?.contains("refused at step 'replay'") == true)
        #expect(try Self.pay(second, "o-1", "session", ["id": .string(session)]).status == 201)
        #expect(try Self.pay(second, "o-2", "sourceOfFunds", ["token": .string(token)]).status == 201)
        #expect(
            try second.send("GET", "\(Self.base)/token/\(token)")["sourceOfFunds.provided.card.number"]
                == "512345xxxxxx0008")

        let scanner = SecretScanner([
            .init("number", Self.number), .init("code", "\"9172\""), .init("session", session),
        ])
        let findings = try scanner.findings(below: folder.data)
        #expect(findings == [])
        #expect(scanner.findings(in: try folder.read("errors")) == [])
    }

    @Test func `with another installation's key nothing opens, and the request fails`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let first = try RunningGateway(in: folder)
        let (_, token) = try Self.store(on: first)
        #expect(try first.stop() == .exited(0))
        var key = try folder.read("data/installation.key")
        // The first key finds what was kept; another one behind it opens nothing of it.
        key += [UInt8](repeating: 7, count: 32)
        try folder.writeSecret("data/installation.key", key)
        let second = try RunningGateway(in: folder)
        let replaced = try Self.pay(second, "o-1", "sourceOfFunds", ["token": .string(token)])
        #expect(replaced.status == 201)
        #expect(try second.stop() == .exited(0))
        try folder.writeSecret("data/installation.key", key[..<32])
        let third = try RunningGateway(in: folder)
        defer { third.kill() }
        // The use sealed the token again under the key that is gone now.
        let lost = try Self.pay(third, "o-2", "sourceOfFunds", ["token": .string(token)])
        #expect(lost.status == 500)
        #expect(lost["error.cause"] == "SERVER_FAILED")
        #expect(try folder.text("errors").contains("unknownKey"))
    }

    @Test func `a gateway does not start on a database that was kept under another key`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let first = try RunningGateway(in: folder)
        #expect(try first.stop() == .exited(0))
        let key = try folder.read("data/installation.key")
        var other = key
        other[31] ^= 1
        for wrong in [other, [UInt8](repeating: 7, count: 32) + key] {
            try folder.writeSecret("data/installation.key", wrong)
            let refused = try folder.run(["serve", "--port", "0", "--data", folder.data])
            #expect(refused.status != 0)
            #expect(refused.errors.contains("installation.key is not the key of"))
        }
        try folder.writeSecret("data/installation.key", key)
        let again = try RunningGateway(in: folder)
        #expect(try again.stop() == .exited(0))
    }

    @Test(arguments: [0, 31, 33, 65 * 32])
    func `a file that holds no keys is refused`(count: Int) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        try folder.writeSecret("data/installation.key", [UInt8](repeating: 1, count: count))
        for command in [["serve", "--port", "0"], ["key", "rotate"]] {
            let result = try folder.run(command + ["--data", folder.data])
            #expect(result.status != 0)
            #expect(result.errors.contains("installation.key"))
        }
        #expect(try folder.read("data/installation.key").count == count)
    }

    @Test func `a new key opens at every gateway before it seals at any`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let first = try RunningGateway(in: folder)
        defer { first.kill() }
        let before = try folder.read("data/installation.key")
        #expect(try folder.run(["key", "rotate", "--seal", "--data", folder.data]).errors.contains("no new key"))
        #expect(try folder.run(["key", "rotate", "--data", folder.data]).status == 0)
        let again = try folder.run(["key", "rotate", "--data", folder.data])
        #expect(again.status != 0 && again.errors.contains("--seal"))
        let added = try folder.read("data/installation.key")
        // The one that sealed stays the last, and so is the one that seals, also to earlier versions.
        #expect(added.count == 96 && Array(added[..<32]) == before && Array(added[64...]) == before)
        first.process.signal(SIGHUP)
        _ = try first.process.output(until: "2 keys")
        let (_, old) = try Self.store(on: first)

        // Another gateway that seals under the new key, and what it sealed brought to the first.
        #expect(try folder.run(["key", "rotate", "--seal", "--data", folder.data]).status == 0)
        let sealed = try folder.read("data/installation.key")
        #expect(sealed.count == 64 && sealed[32...] == added[32..<64])
        first.process.signal(SIGHUP)
        _ = try first.process.output(until: "the last one seals")
        let (_, new) = try Self.store(on: first)
        #expect(try first.stop() == .exited(0))
        // One that only knows the first key opens what was sealed between the steps, and nothing that came after.
        try folder.writeSecret("data/installation.key", before)
        let second = try RunningGateway(in: folder)
        #expect(try second.send("GET", "\(Self.base)/token/\(old)").status == 200)
        #expect(try second.send("GET", "\(Self.base)/token/\(new)").status == 500)
        #expect(try second.stop() == .exited(0))
        // One that has learnt the new key and doesn't seal under it opens both.
        try folder.writeSecret("data/installation.key", added)
        let third = try RunningGateway(in: folder)
        defer { third.kill() }
        for token in [old, new] { #expect(try third.send("GET", "\(Self.base)/token/\(token)").status == 200) }
    }

    @Test(arguments: ["another", "less", "none", "broken"])
    func `keys that a running gateway can't use are not reloaded`(change: String) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        #expect(try folder.run(["key", "create", folder.data]).status == 0)
        #expect(try folder.run(["key", "rotate", "--data", folder.data]).status == 0)
        #expect(try folder.run(["key", "rotate", "--seal", "--data", folder.data]).status == 0)
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        let (_, token) = try Self.store(on: gateway)
        let keys = try folder.read("data/installation.key")
        switch change {
        case "another": try folder.writeSecret("data/installation.key", keys.reversed())
        case "less": try folder.writeSecret("data/installation.key", keys[..<32])
        case "none": try folder.delete("data/installation.key")
        default: try folder.writeSecret("data/installation.key", keys + [1])
        }
        gateway.process.signal(SIGHUP)
        for _ in 0..<3000 where try !folder.text("errors").contains("installation.key") { usleep(10_000) }
        #expect(try folder.text("errors").contains("everything stays as it was"))
        #expect(try gateway.send("GET", "\(Self.base)/token/\(token)").status == 200)
        #expect(change != "none" || !FileManager.default.fileExists(atPath: folder.data + "/installation.key"))
    }

    @Test func `sixty-four keys are as many as there can be`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        try folder.writeSecret("data/installation.key", (0..<(62 * 32)).map { UInt8($0 % 251) })
        #expect(try folder.run(["key", "rotate", "--data", folder.data]).status == 0)
        #expect(try folder.run(["key", "rotate", "--seal", "--data", folder.data]).status == 0)
        let refused = try folder.run(["key", "rotate", "--data", folder.data])
        #expect(refused.status != 0)
        #expect(refused.errors.contains("64 keys"))
    }

    @Test func `without a data directory or a key there is nothing to rotate`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let none = try folder.run(["key", "rotate", "--data", folder.data])
        #expect(none.status != 0 && none.errors.contains("no such data directory"))
        try folder.write("data/other", [])
        let empty = try folder.run(["key", "rotate", "--data", folder.data])
        #expect(empty.status != 0 && empty.errors.contains("installation.key is missing"))
    }

    @Test(arguments: ["0", "86401", "x"])
    func `how long a session lasts is a number of seconds`(text: String) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let result = try folder.run(
            ["serve", "--port", "0", "--data", folder.data], environment: ["TOLLGATE_SESSION_SECONDS": text])
        #expect(result.status != 0)
        #expect(
            result.errors.contains(
                "TOLLGATE_SESSION_SECONDS: expected a number of seconds from 1 to 86400, not \(text)"))
    }
}
