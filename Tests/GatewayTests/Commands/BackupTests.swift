import Foundation
import Testing

/// `tollgate backup`.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct BackupTests {
    @Test func `a copy that was made under load holds all that was acknowledged before, and serves`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        #expect(try folder.run("merchant", "create", "SHOP", "--data", folder.data).status == 0)
        let request = try folder.mintRequest()
        let paid = try gateway.put(TransactionPath(), request)
        #expect(paid.status == 201)
        let clients = (0..<4).map { _ in ClientOfManyOrders(gateway) }
        let threads = clients.enumerated().map { number, client in
            let thread = Thread { client.run("client-\(number)") }
            thread.start()
            return thread
        }
        defer {
            for client in clients { client.stop() }
            while !threads.allSatisfy(\.isFinished) { usleep(1000) }
        }
        while !clients.allSatisfy({ $0.acknowledgedCount > 20 }) { usleep(1000) }
        let before = clients.flatMap(\.acknowledged)

        let copied = try folder.run("backup", folder.path + "/copy", "--data", folder.data)
        #expect(copied.status == 0, "\(copied.errors)")
        #expect(copied.text.contains("found whole") && copied.text.contains("guard it"))
        for client in clients { #expect(client.unexpected == [] && client.refusedCount == 0) }
        #expect(try folder.mode("copy") == 0o700)
        let files = try TestFolder.files(below: folder.path + "/copy").map { $0.dropFirst(folder.path.count + 1) }
        #expect(files.contains("copy/tollgate.sqlite") && files.contains("copy/installation.key"))
        #expect(files.contains("copy/merchants/SHOP.yaml"))
        for file in files { #expect(try folder.mode(String(file)) == 0o600, "\(file)") }

        let copy = try TestFolder()
        defer { copy.remove() }
        try FileManager.default.moveItem(atPath: folder.path + "/copy", toPath: copy.data)
        let restored = try RunningGateway(in: copy, "--sandbox", "true")
        defer { restored.kill() }
        #expect(restored.credentials.password == gateway.credentials.password)
        for (path, body) in before { #expect(try restored.get(path).body == body) }
        #expect(try restored.put(TransactionPath(), request).body == paid.body)
        let replay = try restored.put(TransactionPath(order: "another"), request)
        #expect(replay["error.explanation"]?.contains("refused at step 'replay'") == true)
        #expect(try restored.put(TransactionPath(order: "new"), PaymentRequest.plain("1.00")).status == 201)
    }

    @Test func `a gateway that doesn't run is copied alike, and the copy can be copied`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        let paid = try gateway.put(TransactionPath(), try folder.mintRequest())
        gateway.kill()
        let files = try TestFolder.files(below: folder.data)
        let first = try folder.run("backup", folder.path + "/first", "--data", folder.data)
        #expect(first.status == 0, "\(first.errors)")
        #expect(try TestFolder.files(below: folder.data) == files)
        let second = try folder.run("backup", folder.path + "/second", "--data", folder.path + "/first")
        #expect(second.status == 0, "\(second.errors)")
        #expect(second.text.contains("holds 1 orders"))
        try FileManager.default.removeItem(atPath: folder.data)
        try FileManager.default.moveItem(atPath: folder.path + "/second", toPath: folder.data)
        let next = try RunningGateway(in: folder)
        defer { next.kill() }
        #expect(try next.get(TransactionPath()).body == paid.body)
    }

    @Test(arguments: ["file", "empty folder", "data"])
    func `existing files are never overwritten`(name: String) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        try folder.write("file", [1, 2, 3])
        try FileManager.default.createDirectory(
            atPath: folder.path + "/empty folder", withIntermediateDirectories: false)
        let files = try TestFolder.files(below: folder.path)
        let refused = try folder.run("backup", "\(folder.path)/\(name)", "--data", folder.data)
        #expect(refused.status == 1)
        #expect(refused.errors == "Error: \(folder.path)/\(name): it is there already; name another folder\n")
        #expect(Set(files).isSubset(of: try TestFolder.files(below: folder.path)))
        #expect(try folder.read("file") == [1, 2, 3])
    }

    @Test func `a copy has its name when it is whole, and no gateway starts on one that isn't`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        #expect(try gateway.stop() == .exited(0))
        // A database of which nothing comes in time.
        let bulk = try folder.read("data/tollgate.sqlite")
        try folder.delete("data/tollgate.sqlite")
        try folder.makePipe("data/tollgate.sqlite")
        let process = try ChildProcess(
            try BuiltProgram.path(), ["backup", folder.path + "/copy", "--data", folder.data], errors: folder.errors)
        let draft = folder.path + "/copy.unfinished"
        for _ in 0..<3000 where !FileManager.default.fileExists(atPath: draft + "/unfinished") { usleep(10_000) }
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/copy"))
        process.kill()
        let refused = try folder.run("serve", "--port", "0", "--operations-port", "0", "--data", draft)
        #expect(refused.status != 0)
        #expect(refused.errors.contains("backup that did not end"), "\(refused.errors)")

        try folder.delete("data/tollgate.sqlite")
        try folder.writeSecret("data/tollgate.sqlite", bulk)
        let copied = try folder.run("backup", folder.path + "/copy", "--data", folder.data)
        #expect(copied.status == 0, "\(copied.errors)")
        #expect(!FileManager.default.fileExists(atPath: draft))
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/copy/unfinished"))
    }

    @Test(arguments: ["data/copy", "data/sandbox/copy", "keys/copy"])
    func `a copy inside what it is a copy of is refused`(target: String) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let keys = try folder.useWithKeysFolder()
        try FileManager.default.createDirectory(
            atPath: folder.data + "/sandbox", withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700]
        )
        let files = try TestFolder.files(below: folder.data) + TestFolder.files(below: keys)
        let result = try folder.run(
            "backup", "\(folder.path)/\(target)", "--data", folder.data, "--keys-folder", keys)
        #expect(result.status != 0)
        #expect(result.errors.contains("inside"), "\(result.errors)")
        #expect(try TestFolder.files(below: folder.data) + TestFolder.files(below: keys) == files)
    }

    @Test func `what can't be copied whole leaves nothing behind`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        for number in 10..<60 {
            _ = try gateway.put(TransactionPath(order: "order-\(number)"), PaymentRequest.plain("10.00"))
        }
        #expect(try gateway.stop() == .exited(0))
        func refusal(_ arguments: String..., environment: [String: String] = [:]) throws -> String {
            let result = try folder.run(
                ["backup", folder.path + "/copy"] + arguments, environment: environment)
            #expect(result.status == 1)
            #expect(!FileManager.default.fileExists(atPath: folder.path + "/copy"))
            return result.errors
        }

        #expect(try refusal("--data", folder.path + "/nowhere").contains("no such data directory"))
        try FileManager.default.createDirectory(atPath: folder.path + "/empty", withIntermediateDirectories: false)
        #expect(try refusal("--data", folder.path + "/empty").contains("pg_dump"))
        #expect(
            try refusal("--data", folder.data, environment: ["TOLLGATE_STORE_URL": "postgres://u:secret@localhost/d"])
                .contains("back that up with pg_dump"))
        #expect(
            try folder.run("backup", folder.path + "/no/such/copy", "--data", folder.data).errors.contains(
                "No such file or directory"))

        let key = try folder.read("data/installation.key")
        try folder.delete("data/installation.key")
        #expect(try refusal("--data", folder.data).contains("installation.key is missing"))
        try folder.writeSecret("data/installation.key", key.reversed())
        #expect(try refusal("--data", folder.data).contains("is not the key of"))
        try folder.writeSecret("data/installation.key", key)

        var database = try folder.read("data/tollgate.sqlite")
        // Every leaf of a table but the first page.
        for page in stride(from: 4096, to: database.count, by: 4096) where database[page] == 13 {
            database[page + 3] = 0xFF
        }
        try folder.writeSecret("data/tollgate.sqlite", database)
        #expect(try refusal("--data", folder.data).contains("orrupt"))
    }
}
