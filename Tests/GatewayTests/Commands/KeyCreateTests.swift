import Foundation
import Testing

/// Keys that are made before the gateways that share them.
final class KeyCreateTests {
    private let folder: TestFolder
    private var keys: String { folder.path + "/keys" }

    init() throws { folder = try TestFolder() }
    deinit { folder.remove() }

    private func contents() throws -> [Data] {
        try TestFolder.files(below: keys).map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
    }

    @Test func `gateways that share keys have one merchant and one authority, and change neither`() throws {
        #expect(try folder.run("key", "create", keys).status == 0)
        let made = try contents()
        #expect(try folder.mode("keys/installation.key") == 0o600)
        let again = try folder.run("key", "create", keys)
        #expect(again.status == 0)
        #expect(again.text.hasPrefix("\(keys)/installation.key is the key"))

        let password = try folder.text("keys/sandbox/password").filter { !$0.isNewline }
        let minted = try folder.run(
            "token", "mint", "--data", keys, "--amount", "1", "--currency", "USD", "--request", "PAY")
        for data in ["a", "b"] {
            let gateway = try RunningGateway(
                in: folder, "--keys-folder", keys, "--data", "\(folder.path)/\(data)",
                credentials: .init(merchant: "TESTMERCHANT", password: password))
            defer { gateway.kill() }
            #expect(try gateway.put(TransactionPath(), minted.output).status == 201)
            let files = try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/\(data)")
            #expect(!files.contains("installation.key") && !files.contains("sandbox"))
        }
        #expect(try contents() == made)
    }
}
