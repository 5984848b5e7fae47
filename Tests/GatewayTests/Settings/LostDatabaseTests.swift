import Foundation
import Testing

/// A data directory that was used and whose database is gone must not start as an empty one: used tokens would be new again.
@Suite(.timeLimit(.minutes(30)))
struct LostDatabaseTests {
    private static func refusal(_ folder: TestFolder, _ arguments: String...) throws -> String {
        let result = try folder.run(
            ["serve", "--port", "0", "--operations-port", "0", "--data", folder.data] + arguments)
        #expect(result.status != 0)
        #expect(result.text.isEmpty)
        return result.errors
    }

    @Test(arguments: [false, true])
    func `a used folder whose database is gone is refused unless it is said to be new`(isEmptied: Bool) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        let request = try folder.mintRequest()
        #expect(try gateway.put(TransactionPath(), request).status == 201)
        #expect(try gateway.stop() == .exited(0))
        if isEmptied {
            try folder.writeSecret("data/tollgate.sqlite", [])
        } else {
            try folder.delete("data/tollgate.sqlite")
        }
        for name in ["-wal", "-shm"] { try? folder.delete("data/tollgate.sqlite" + name) }
        for _ in 0..<2 {
            let errors = try Self.refusal(folder)
            #expect(errors.contains("\(folder.data)/tollgate.sqlite"), "\(errors)")
            #expect(errors.contains("--new"), "\(errors)")
        }
        let new = try RunningGateway(in: folder, "--new")
        #expect(try new.get(TransactionPath()).status == 400)
        #expect(try new.stop() == .exited(0))
        let again = try RunningGateway(in: folder)
        #expect(try again.stop() == .exited(0))
    }

    @Test func `a folder in which only the keys were made is new`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        #expect(try folder.run("key", "create", folder.data).status == 0)
        _ = try folder.mint()
        let gateway = try RunningGateway(in: folder)
        #expect(try gateway.stop() == .exited(0))
        try folder.delete("data/tollgate.sqlite")
        #expect(try Self.refusal(folder).contains("--new"))
    }

    @Test func `a folder that was used with keys of another folder is refused without its database`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let keys = try folder.useWithKeysFolder()
        try folder.delete("data/tollgate.sqlite")
        #expect(try Self.refusal(folder, "--keys-folder", keys).contains("--new"))
    }

    @Test func `a first start that was killed anywhere is gone on with`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        // Earlier and earlier in the start, until one ends before anything is there.
        for milliseconds in stride(from: 400, through: 0, by: -100) {
            try? FileManager.default.removeItem(atPath: folder.data)
            let process = try ChildProcess(
                try BuiltProgram.path(), ["serve", "--port", "0", "--operations-port", "0", "--data", folder.data],
                errors: folder.errors)
            usleep(UInt32(milliseconds) * 1000)
            process.kill()
            let gateway = try RunningGateway(in: folder)
            #expect(try gateway.stop() == .exited(0))
        }
    }
}
