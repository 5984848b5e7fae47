import Foundation
import Glibc
import Testing

/// Files that others may use: their bits are taken away with a warning, or the program ends.
struct FileModeTests {
    private static func setMode(_ mode: Int, _ path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    @Test func `what others may use of an installation is repaired with a warning`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let first = try RunningGateway(in: folder)
        #expect(try first.stop() == .exited(0))
        let files = [
            "data/installation.key", "data/sandbox/password", "data/sandbox/root.key.pem",
            "data/sandbox/rsa/merchant.key.pem",
        ]
        for file in files { try Self.setMode(0o646, "\(folder.path)/\(file)") }
        for directory in ["data", "data/sandbox"] { try Self.setMode(0o757, "\(folder.path)/\(directory)") }
        try folder.write("errors", [])
        let second = try RunningGateway(in: folder)
        #expect(try second.stop() == .exited(0))
        let errors = try folder.text("errors")
        for file in files {
            #expect(try folder.mode(file) == 0o640, "\(file)")
            #expect(errors.contains("\(folder.path)/\(file): others could use it (mode 0646); it is 0640 now\n"))
        }
        for directory in ["data", "data/sandbox"] {
            #expect(try folder.mode(directory) == 0o750, "\(directory)")
            #expect(errors.contains("\(folder.path)/\(directory): others could use it (mode 0757); it is 0750 now\n"))
        }
        try folder.write("errors", [])
        let third = try RunningGateway(in: folder)
        #expect(try third.stop() == .exited(0))
        #expect(try folder.text("errors") == "")
    }

    @Test func `a merchant's file that others may use is repaired with a warning`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let file = try folder.writeSecret(
            "config/merchants/SHOP.yaml", Array("passwords: [{environment: WORD}]".utf8), mode: 0o644)
        let gateway = try RunningGateway(
            in: folder, "--config", folder.path + "/config", environment: ["WORD": "a-long-enough-password"],
            credentials: .init(merchant: "SHOP", password: "a-long-enough-password"))
        #expect(try gateway.stop() == .exited(0))
        #expect(try folder.text("errors").contains("\(file): others could use it (mode 0644); it is 0640 now\n"))
        #expect(try folder.mode("config/merchants/SHOP.yaml") == 0o640)
    }

    @Test(
        .enabled(if: geteuid() == 0 && access("/usr/bin/setpriv", X_OK) == 0, "a file of another user's is wanted"),
        arguments: ["data/installation.key", "data/sandbox/password", "config/merchants/SHOP.yaml"])
    func `what others may use and the program doesn't own is refused`(file: String) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let first = try RunningGateway(in: folder)
        #expect(try first.stop() == .exited(0))
        try folder.writeSecret(
            "config/merchants/SHOP.yaml", Array("certificates: ['\(String(repeating: "0", count: 64))']".utf8))
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) + [""] {
            #expect(chown("\(folder.path)/\(path)", 65534, 65534) == 0)
        }
        #expect(chown("\(folder.path)/\(file)", 0, 0) == 0)
        func run(mode: Int) throws -> String {
            try Self.setMode(mode, "\(folder.path)/\(file)")
            try folder.write("errors", [])
            let process = try ChildProcess(
                "/usr/bin/setpriv",
                ["--reuid=65534", "--regid=65534", "--clear-groups", "--", try BuiltProgram.path()]
                    + ["serve", "--port", "0", "--operations-port", "0", "--data", folder.data, "--sandbox", "true"]
                    + ["--config", folder.path + "/config"], errors: folder.errors)
            defer { process.kill() }
            if (try? process.firstLine()) != nil { return "" }
            return try folder.text("errors")
        }
        #expect(try run(mode: 0o644).contains("\(folder.path)/\(file): others may use it (mode 0644)"))
        // Root hands it over to the group.
        #expect(chown("\(folder.path)/\(file)", 0, 65534) == 0)
        #expect(try run(mode: 0o440) == "")
    }
}
