import Foundation
import Glibc
import JSON
import OpenSSL
import Testing
import Values

/// A running gateway reloads changes of merchants.
struct ReloadTests {
    private static let shop = "passwords: [{environment: SHOP_PASSWORD}]\n"

    /// A gateway on a configuration with the merchant SHOP, whose password is `shop-word`.
    private static func gateway(_ folder: TestFolder, _ arguments: String = "--port=0") throws -> RunningGateway {
        try folder.write("config/merchants/SHOP.yaml", Array(shop.utf8))
        return try RunningGateway(
            in: folder, "--config", folder.path + "/config", arguments,
            environment: ["SHOP_PASSWORD": "shop-word", "OTHER_PASSWORD": "other-word"],
            credentials: .init(merchant: "SHOP", password: "shop-word"))
    }

    private static func status(_ gateway: RunningGateway, _ merchant: String, _ password: String) throws -> Int {
        try gateway.send(
            "GET", TransactionPath(merchant: merchant).text, as: .init(merchant: merchant, password: password)
        ).status
    }

    @Test func `merchants come, change and go without a restart, and requests go on`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try Self.gateway(folder)
        defer { gateway.kill() }
        #expect(try Self.status(gateway, "OTHER", "other-word") == 401)

        try folder.write("config/merchants/OTHER.yaml", Array("passwords: [{environment: OTHER_PASSWORD}]\n".utf8))
        _ = try gateway.process.output(until: "merchants   OTHER, SHOP (reloaded)\n")
        #expect(try Self.status(gateway, "OTHER", "other-word") == 400)
        #expect(try Self.status(gateway, "SHOP", "shop-word") == 400)

        let config = folder.path + "/config"
        #expect(try folder.run("merchant", "disable", "SHOP", "--config", config).status == 0)
        _ = try gateway.process.output(until: "merchants   OTHER, SHOP (disabled) (reloaded)\n")
        #expect(try Self.status(gateway, "SHOP", "shop-word") == 401)

        try folder.delete("config/merchants/OTHER.yaml")
        _ = try gateway.process.output(until: "merchants   SHOP (disabled) (reloaded)\n")
        #expect(try Self.status(gateway, "OTHER", "other-word") == 401)
        #expect(try gateway.stop() == .exited(0))
    }

    @Test func `a password is rolled over while the gateway runs, and the old one is good until it is retired`() throws
    {
        let folder = try TestFolder()
        defer { folder.remove() }
        let config = folder.path + "/config"
        func command(_ arguments: String..., input: String = "") throws -> String {
            let result = try folder.run(["merchant"] + arguments + ["--config", config], input: Array(input.utf8))
            try #require(result.status == 0, "\(result.errors)")
            return result.text
        }
        try folder.write("config/.keep", [])
        let old = try #require(
            try command("create", "SHOP").split(separator: "\n").first?.dropFirst("password: ".count))
        // The lines that are waited for follow each other.
        let gateway = try RunningGateway(
            in: folder, "--config", config, "--access-log", "off",
            credentials: .init(merchant: "SHOP", password: String(old)))
        defer { gateway.kill() }
        #expect(try Self.status(gateway, "SHOP", String(old)) == 400)

        _ = try command("password", "SHOP", "--set", input: "correct horse\n")
        _ = try gateway.process.output(until: "(reloaded)\n")
        for password in [String(old), "correct horse", "correct horse", String(old)] {
            #expect(try Self.status(gateway, "SHOP", password) == 400)
        }
        #expect(try Self.status(gateway, "SHOP", "correct hors") == 401)

        _ = try command("password", "SHOP", "--retire")
        _ = try gateway.process.output(until: "(reloaded)\nmerchants   SHOP (reloaded)\n")
        #expect(try Self.status(gateway, "SHOP", "correct horse") == 400)
        #expect(try Self.status(gateway, "SHOP", String(old)) == 401)
    }

    @Test(arguments: [
        ("merchants/SHOP.yaml", "pasword: secret-word", "unknown key pasword"),
        ("merchants/SHOP.yaml", "passwords: []", "passwords: name at least one"),
        ("merchants/NEW.yaml", "passwords: [{environment: NO_SUCH}]", "NO_SUCH is not set"),
        ("merchants/NEW.yaml", "passwords: [{file: no-such-file}]", "no-such-file"),
        ("merchants/NEW.yml", "", "ends in .yaml"), ("simulator.yaml", "amounts: []", "otherwise: missing"),
    ])
    func `what is wrong is told once, and everything stays as it was until it is mended`(
        file: String, content: String, finding: String
    ) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try Self.gateway(folder)
        defer { gateway.kill() }
        let before = try? folder.read("config/" + file)
        try folder.write("config/" + file, Array(content.utf8))
        let told = try folder.errors(once: "not reloaded")
        #expect(told.contains(finding))
        #expect(!told.contains("secret-word"))
        #expect(try Self.status(gateway, "SHOP", "shop-word") == 400)

        if let before { try folder.write("config/" + file, before) } else { try folder.delete("config/" + file) }
        _ = try gateway.process.output(until: "merchants   SHOP (reloaded)\n")
        #expect(try folder.text("errors").components(separatedBy: "not reloaded").count == 2)
        #expect(try Self.status(gateway, "SHOP", "shop-word") == 400)
    }

    @Test(arguments: ["config/merchants/PIPE.yaml", "config/simulator.yaml", "secret"])
    func `a pipe in a file's place is told, and not waited for`(file: String) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try Self.gateway(folder)
        defer { gateway.kill() }
        try folder.makePipe(file)
        try folder.write(
            "config/merchants/SHOP.yaml",
            Array((file == "secret" ? "passwords: [{file: ../../secret}]\n" : Self.shop + "enabled: true\n").utf8))
        #expect(try folder.errors(once: "not reloaded").contains("not a regular file"))
        #expect(try Self.status(gateway, "SHOP", "shop-word") == 400)

        try folder.delete(file)
        try folder.write("config/merchants/SHOP.yaml", Array((Self.shop + "enabled: false\n").utf8))
        _ = try gateway.process.output(until: "merchants   SHOP (disabled) (reloaded)\n")
        #expect(try Self.status(gateway, "SHOP", "shop-word") == 401)
    }

    @Test func `files that a merchant's file names are checked as well`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        try folder.write("secret", Array("first-word\n".utf8))
        try folder.write("config/merchants/SHOP.yaml", Array("passwords: [{file: ../../secret}]\n".utf8))
        let gateway = try RunningGateway(
            in: folder, "--config", folder.path + "/config",
            credentials: .init(merchant: "SHOP", password: "first-word"))
        defer { gateway.kill() }
        try folder.write("secret", Array("other-word\n".utf8))
        _ = try gateway.process.output(until: "(reloaded)\n")
        #expect(try Self.status(gateway, "SHOP", "first-word") == 401)
        #expect(try Self.status(gateway, "SHOP", "other-word") == 400)
    }

    @Test func `the simulator's table is reloaded, too`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try Self.gateway(folder)
        defer { gateway.kill() }
        let card: JSONValue = ["number": "5123450000000008", "expiry": ["month": "1", "year": "39"]]
        let request = PaymentRequest.body(amount: "12.34", wallet: nil, card: card)
        let approved = try gateway.put(TransactionPath(order: "a", merchant: "SHOP"), request)
        #expect(approved["response.gatewayCode"] == "APPROVED")

        let shipped = try String(
            decoding: Data(contentsOf: URL(fileURLWithPath: BuiltProgram.repository + "/Config/simulator.yaml")),
            as: UTF8.self)
        let changed = shipped.replacing("amount: \"5757\"", with: "amount: \"12.34\"")
        #expect(changed != shipped)
        try folder.write("config/simulator.yaml", Array(changed.utf8))
        _ = try gateway.process.output(until: "(reloaded)\n")
        let device: JSONValue = [
            "number": "5123450000000008", "expiry": ["month": "1", "year": "39"],
            "devicePayment": [
                "cryptogramFormat": "3DSECURE", "onlinePaymentCryptogram": "IA/8pdiWftSsxpFT6wABoDABhgA=",
            ],
        ]
        let declined = try gateway.put(
            TransactionPath(order: "b", merchant: "SHOP"), PaymentRequest.body(amount: "12.34", card: device))
        #expect(declined["response.gatewayCode"] == "DECLINED")
    }

    @Test func `a signal reloads everything, and a folder that went away removes no merchant`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try Self.gateway(folder)
        defer { gateway.kill() }
        gateway.process.signal(SIGHUP)
        _ = try gateway.process.output(until: "merchants   SHOP (reloaded)\n")
        try folder.delete("config/merchants")
        #expect(try folder.errors(once: "not reloaded").contains("the folder is gone"))
        #expect(try Self.status(gateway, "SHOP", "shop-word") == 400)
    }

    @Test(arguments: [0, 10, 20, 40, 80])
    func `a gateway that is stopped during a reload ends as usual`(milliseconds: UInt32) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let key = try PrivateKey.generate(.p256).pem().withUnsafeBytes { Array($0) }
        try folder.writeSecret("config/merchants/key.pem", key)
        for number in 100..<200 {
            let keys = "{merchantIdentifier: merchant.example, keys: [{privateKey: key.pem}], trust: [local]}"
            try folder.write("config/merchants/SHOP\(number).yaml", Array("\(Self.shop)applePay: \(keys)\n".utf8))
        }
        let gateway = try Self.gateway(folder)
        defer { gateway.kill() }
        gateway.process.signal(SIGHUP)
        usleep(milliseconds * 1000)
        gateway.process.signal(SIGTERM)
        #expect(try gateway.process.wait() == .exited(0))
    }

    @Test func `whether there is a sandbox is settled at the start`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        try folder.write("config/merchants/.keep", [])
        let gateway = try RunningGateway(
            in: folder, "--config", folder.path + "/config", environment: ["SHOP_PASSWORD": "shop-word"])
        defer { gateway.kill() }
        try folder.write("config/merchants/SHOP.yaml", Array(Self.shop.utf8))
        _ = try gateway.process.output(until: "merchants   SHOP, TESTMERCHANT (reloaded)\n")
        #expect(try gateway.send("GET", TransactionPath().text).status == 400)
        #expect(try Self.status(gateway, "SHOP", "shop-word") == 400)
    }
}

extension TestFolder {
    /// What the gateways of this folder wrote to standard error, once it holds `text`.
    func errors(once text: String) throws -> String {
        let deadline = Date(timeIntervalSinceNow: TimeInterval(Patience.seconds))
        while Date() < deadline {
            let errors = try self.text("errors")
            if errors.contains(text), errors.hasSuffix("\n") { return errors }
            usleep(20_000)
        }
        throw ChildProcess.Failure.tookTooLong(outputSoFar: try self.text("errors"))
    }

    /// Makes a symbolic link.
    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: "\(path)/\(name)", withDestinationPath: target)
    }
}
