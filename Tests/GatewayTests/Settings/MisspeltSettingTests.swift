import Foundation
import TestSupport
import Testing

/// Folders, URLs and variables with a typing error: each is reported, and nothing is created for it.
struct MisspeltSettingTests {
    private static func names(in folder: TestFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test(arguments: ["serve", "backup", "token mint"])
    func `a folder of keys that isn't there is refused, and not made`(command: String) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        #expect(try gateway.stop() == .exited(0))
        let arguments: [String: [String]] = [
            "serve": ["serve", "--port", "0"], "backup": ["backup", folder.path + "/copy"],
            "token mint": ["token", "mint", "--amount", "1", "--currency", "USD"],
        ]
        let result = try folder.run(
            try #require(arguments[command]) + ["--data", folder.data, "--keys-folder", folder.path + "/kyes"])
        #expect(result.status != 0)
        #expect(result.errors.contains("\(folder.path)/kyes: there is no such folder, where installation.key"))
        #expect(result.errors.contains("tollgate key create \(folder.path)/kyes"))
        let names = try Self.names(in: folder)
        #expect(!names.contains("kyes") && !names.contains("copy"))
    }

    @Test func `a folder of keys without the store's key is refused, and the store's own is named`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        #expect(try gateway.stop() == .exited(0))
        #expect(try folder.run("key", "create", folder.path + "/other").status == 0)
        let result = try folder.run([
            "serve", "--port", "0", "--data", folder.data, "--keys-folder", folder.path + "/other",
        ])
        #expect(result.status == 1)
        #expect(
            result.errors.contains(
                "\(folder.path)/other/installation.key is not the key of \(folder.data)/tollgate.sqlite"))
    }

    @Test func `a data directory is made in a folder that is there, and in no other`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let result = try folder.run(["serve", "--port", "0", "--data", folder.path + "/vra/tollgate"])
        #expect(result.status == 1)
        #expect(
            result.errors == "Error: \(folder.path)/vra/tollgate: neither it nor the folder to make it in is there\n")
        #expect(try !Self.names(in: folder).contains("vra"))
    }

    @Test(arguments: ["mysql://host/database", "postgres://host/database?sslmod=require", "postgres://host:x/database"])
    func `a URL that can't be used is refused before anything is made`(url: String) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let result = try folder.run(
            ["serve", "--port", "0", "--data", folder.data], environment: ["TOLLGATE_STORE_URL": url])
        #expect(result.status == 1)
        #expect(result.errors.contains("storeURL: "))
        #expect(!FileManager.default.fileExists(atPath: folder.data))
    }

    @Test func `a variable that is no setting is reported in one line without its value`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let shop = "passwords: [{environment: TOLLGATE_SHOP_PASSWORD}]"
        try folder.write("config/merchants/SHOP.yaml", Array(shop.utf8))
        let password = String(repeating: "0123456789abcdef", count: 2)
        let gateway = try RunningGateway(
            in: folder, "--config", folder.path + "/config",
            environment: [
                "TOLLGATE_SESION_SECONDS": "hush", "TOLLGATE_PROT": "hush", "TOLLGATE_SESSION_SECONDS": "600",
                "TOLLGATE_SHOP_PASSWORD": password, "TOLLGATE_SANDBOX_PASSWORD": password,
            ], credentials: .init(merchant: "SHOP", password: password))
        #expect(try gateway.stop() == .exited(0))
        let lines = try folder.text("errors").split(separator: "\n").filter { $0.contains("TOLLGATE_") }
        #expect(
            lines == [
                "environment: no setting has this name, so it is ignored: TOLLGATE_PROT, TOLLGATE_SESION_SECONDS"
            ])
        #expect(try !folder.text("errors").contains("hush"))
    }

    @Test(arguments: [
        (true, "PostgreSQL 42501: permission denied for schema "),
        (false, "PostgreSQL 3F000: no schema has been selected "),
    ])
    func `a database in which the user may not make tables ends the start and says what to grant`(
        isUsable: Bool, reason: String
    ) throws {
        let server = try PostgresServer.shared()
        let schema = "locked_\(UInt32.random(in: 0 ... .max))"
        _ = try server.query("CREATE SCHEMA \(schema)")
        _ = try server.query("CREATE ROLE \(schema) LOGIN PASSWORD 'hush'")
        if isUsable { _ = try server.query("GRANT USAGE ON SCHEMA \(schema) TO \(schema)") }
        let address = try #require(server.url(schema: schema).split(separator: "@").last)
        let folder = try TestFolder()
        defer { folder.remove() }
        let result = try folder.run(
            ["serve", "--port", "0", "--data", folder.data],
            environment: ["TOLLGATE_STORE_URL": "postgres://\(schema):hush@\(address)"])
        #expect(result.status == 1)
        #expect(result.errors.contains(reason) && result.errors.contains("GRANT "), "\(result.errors)")
        #expect(!result.errors.contains("hush"))
    }
}
