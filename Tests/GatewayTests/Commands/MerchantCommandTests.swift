import JSON
import Testing

/// `tollgate merchant …`: a merchant's file is made, shown and changed, and never a secret told twice.
struct MerchantCommandTests {
    /// A folder with a configuration folder in it, and the commands on it.
    private struct Office {
        let folder = Result { try TestFolder() }

        func run(_ arguments: String..., input: String = "") throws -> CommandResult {
            let folder = try folder.get()
            try folder.write("config/.keep", [])
            return try folder.run(
                ["merchant"] + arguments + ["--config", folder.path + "/config"], input: Array(input.utf8))
        }

        func text(_ merchant: String = "SHOP") throws -> String {
            try folder.get().text("config/merchants/\(merchant).yaml")
        }

        func write(_ text: String, _ merchant: String = "SHOP") throws {
            try folder.get().write("config/merchants/\(merchant).yaml", Array(text.utf8))
        }
    }

    private static func value(_ name: String, in output: String) -> String? {
        output.split(separator: "\n").first { $0.hasPrefix(name + ": ") }.map { String($0.dropFirst(name.count + 2)) }
    }

    private static let digest = "sha256:\(String(repeating: "ab", count: 16)):\(String(repeating: "cd", count: 32))"
    private static let other = "sha256:\(String(repeating: "12", count: 16)):\(String(repeating: "34", count: 32))"

    @Test func `a merchant is made with a password that is shown once and kept nowhere`() throws {
        let office = Office()
        let made = try office.run(
            "create", "SHOP", "--currency", "EUR", "--currency", "USD", "--privilege", "Device Payments")
        #expect(made.status == 0, "\(made.errors)")
        let password = try #require(Self.value("password", in: made.text))
        #expect(password.utf8.count == 32)
        #expect(try office.folder.get().mode("config/merchants/SHOP.yaml") == 0o600)
        #expect(!(try office.text().contains(password)))

        let shown = try office.run("show", "SHOP", "--json")
        let json = try JSONValue(parsing: shown.output)
        #expect(json["merchant"] == "SHOP")
        #expect(json["enabled"] == true)
        #expect(json["currencies"] == ["EUR", "USD"])
        #expect(json["privileges"] == ["Device Payments"])
        #expect(json["passwords"] == ["sha256"])
        for output in [shown.text, try office.run("show", "SHOP").text, try office.run("list").text] {
            #expect(!output.contains(password))
            #expect(!output.contains(try #require(try office.text().split(separator: "sha256:").last?.prefix(20))))
        }

        let again = try office.run("create", "SHOP")
        #expect(again.status != 0)
        #expect(again.output.isEmpty)
        #expect(again.errors.contains("it is there already"))
    }

    @Test(arguments: [
        (["create", "a/b"], "a/b"), (["create", "../x"], "../x"), (["create", ""], "merchant id"),
        (["create", "SHOP", "--currency", "EURO"], "EURO"), (["create", "SHOP", "--privilege", "Fly"], "Fly"),
        (["show", "NOBODY"], "NOBODY"), (["disable", "NOBODY"], "NOBODY"), (["password", "NOBODY"], "NOBODY"),
        (["password", "--retire"], "--retire"),
    ])
    func `the error for a wrong argument names it, and nothing is made`(arguments: [String], name: String) throws {
        let office = Office()
        try office.write("passwords: [{digest: '\(Self.digest)'}]\n", "OTHER")
        let result = try office.folder.get().run(
            ["merchant"] + arguments + ["--config", office.folder.get().path + "/config"])
        #expect(result.status != 0)
        #expect(result.errors.contains(name), "\(result.errors)")
        #expect(
            try TestFolder.files(below: office.folder.get().path + "/config").map { $0.split(separator: "/").last } == [
                "OTHER.yaml"
            ])
    }

    @Test func `all merchants are listed, for people and for programs`() throws {
        let office = Office()
        try office.write("passwords: [{digest: '\(Self.digest)'}]\nenabled: false\n", "OFF")
        try office.write("passwords: [{environment: NO_SUCH}]\ncurrencies: [USD]\n", "SHOP")
        #expect(try office.run("list").text == "OFF  disabled  every currency\nSHOP  enabled   USD\n")
        let json = try JSONValue(parsing: try office.run("list", "--json").output)
        guard case .array(let merchants) = json else { preconditionFailure("a list is an array") }
        #expect(merchants.map { $0["merchant"] } == ["OFF", "SHOP"])
        #expect(merchants.map { $0["passwords"] } == [["sha256"], ["environment NO_SUCH"]])
    }

    /// A file's text, and what becomes of it when the merchant is disabled.
    static let switched: [(before: String, after: String)] = [
        ("passwords:\n  - digest: \(digest)\n", "enabled: false\npasswords:\n  - digest: \(digest)\n"),
        (
            "# who\n\n# why\nenabled: true  # since May\npasswords: [{digest: '\(digest)'}]",
            "# who\n\n# why\nenabled: false # since May\npasswords: [{digest: '\(digest)'}]"
        ),
        ("---\npasswords: []\nenabled : yes\n", "---\npasswords: []\nenabled : yes\n"),
        ("{passwords: [{digest: '\(digest)'}]}\n", "{passwords: [{digest: '\(digest)'}]}\n"),
        (
            "passwords: [{digest: '\(digest)'}]\nenabled: false\n",
            "passwords: [{digest: '\(digest)'}]\nenabled: false\n"
        ),
    ]

    @Test(arguments: switched)
    func `a merchant is disabled in its file, where all else stays as it is`(before: String, after: String) throws {
        let office = Office()
        try office.write(before)
        let result = try office.run("disable", "SHOP")
        #expect(try office.text() == after)
        let isRefused = before == after && !before.contains("enabled: false")
        #expect((result.status != 0) == isRefused, "\(result.errors)")
        guard !isRefused else { return }
        #expect(try office.run("enable", "SHOP").status == 0)
        #expect(try office.text() == after.replacing("enabled: false", with: "enabled: true"))
    }

    @Test func `a file that was linked to stays where it is, with its mode`() throws {
        let office = Office()
        let folder = try office.folder.get()
        let real = try folder.writeSecret(
            "real/SHOP", Array("passwords: [{digest: '\(Self.digest)'}]\n".utf8), mode: 0o640)
        try folder.write("config/merchants/.keep", [])
        try folder.link("config/merchants/SHOP.yaml", to: real)
        #expect(try office.run("disable", "SHOP").status == 0)
        #expect(try folder.text("real/SHOP").hasPrefix("enabled: false\n"))
        #expect(try folder.mode("real/SHOP") == 0o640)
        #expect(try TestFolder.files(below: folder.path + "/real") == [real])
    }

    /// A file's text, and how its passwords stand after a roll-over: `new` in place of the new one.
    static let rolledOver: [(before: String, after: String)] = [
        (
            "passwords:\n  - digest: \(digest)  # ours\n# more\ncurrencies: [USD]\n",
            "passwords:\n  - digest: \(digest)  # ours\n  - digest: new\n# more\ncurrencies: [USD]\n"
        ),
        (
            "passwords:\n- # the old one\n  digest: \(digest)\n- digest: \(other)\n",
            "passwords:\n- digest: \(other)\n- digest: new\n"
        ),
        (
            "passwords:\n    # first\n    - environment: A\n\n    # second\n    - file: b\n    # last\nenabled: true\n",
            "passwords:\n    # first\n\n    # second\n    - file: b\n    - digest: new\n    # last\nenabled: true\n"
        ),
        ("certificates: []\n", "passwords:\n  - digest: new\ncertificates: []\n"),
        ("passwords:\n", "passwords:\n  - digest: new\n"),
    ]

    @Test(arguments: rolledOver)
    func `a password is rolled over: the newest old one stays, and all else in the file`(
        before: String, after: String
    ) throws {
        let office = Office()
        try office.write(before)
        let result = try office.run("password", "SHOP")
        #expect(result.status == 0, "\(result.errors)")
        let text = try office.text()
        let made = try #require(text.split(separator: "\n").first { $0.contains("sha256:") && !before.contains($0) })
        let kept = try #require(made.split(separator: "digest: ").last.map(String.init))
        #expect(text.replacing(kept, with: "new") == after)
        #expect(Self.value("password", in: result.text)?.utf8.count == 32)

        #expect(try office.run("password", "SHOP", "--retire").status == 0)
        #expect(try JSONValue(parsing: office.run("show", "SHOP", "--json").output)["passwords"] == ["sha256"])
        #expect(try office.text().contains(kept))
    }

    @Test(arguments: [
        "passwords: [{digest: '\(digest)'}]\n", "passwords: [\n  {digest: '\(digest)'}]\n",
    ])
    func `a file that is written in another way is left to its writer`(text: String) throws {
        let office = Office()
        try office.write(text)
        let result = try office.run("password", "SHOP")
        #expect(result.status != 0)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains("change it by hand"))
        #expect(try office.text() == text)
    }

    @Test func `a chosen password comes from standard input and is kept by scrypt`() throws {
        let office = Office()
        let made = try office.run("create", "SHOP", "--set", input: "correct horse\nbattery\n")
        #expect(made.status == 0, "\(made.errors)")
        #expect(!made.text.contains("correct horse"))
        #expect(try office.text().contains("  - digest: scrypt:16384:8:5:"))
        for input in ["", "short\n", "a\u{7}bcdefgh\n", String(repeating: "x", count: 257)] {
            let refused = try office.run("password", "SHOP", "--set", input: input)
            #expect(refused.status != 0, "\(input)")
        }
        #expect(try JSONValue(parsing: office.run("show", "SHOP", "--json").output)["passwords"] == ["scrypt"])
    }

    @Test(arguments: [
        ("privileges: [Fly]", "privileges[0]"), ("enabled: maybe", "enabled"),
        ("certificates: [00]", "certificates[0]"),
        ("passwords: [{environment: A}, {environment: B}, {environment: C}]", "two at most"),
        ("applePay: {keys: [{privateKey: a}], match: some}", "applePay.match"),
        ("applePay: {keys: [{privateKey: a}], submerchant: ''}", "applePay.submerchant"),
        ("applePay: {keys: [{privateKey: a}], applicationData: order}", "applePay.applicationData"),
        ("applePay: {keys: [{privateKey: a}], applicationData: 'header:'}", "applePay.applicationData"),
        ("applePay: {keys: [{privateKey: a}], applicationData: 'header:A B'}", "applePay.applicationData"),
    ])
    func `the error for an invalid setting names it`(text: String, name: String) throws {
        let office = Office()
        try office.write(text + "\n")
        let result = try office.run("show", "SHOP")
        #expect(result.status != 0)
        #expect(result.errors.contains(name), "\(result.errors)")
    }

    @Test func `every setting is shown unchanged`() throws {
        let office = Office()
        let fingerprint = Array(repeating: "AB", count: 32).joined(separator: ":")
        try office.write(
            """
            certificates: ['\(fingerprint)']
            privileges: [Void, Unmask Sensitive Data]
            applePay:
              merchantIdentifier: merchant.com.example
              submerchant: shop-7
              keys: [{privateKey: key.pem, certificate: /apple.cer}]
              trust: [apple, local]
              applicationData: header:X-Hash
              match: currency
            """)
        let json = try JSONValue(parsing: try office.run("show", "SHOP", "--json").output)
        #expect(json["certificates"] == [.string(String(repeating: "ab", count: 32))])
        #expect(json["privileges"] == ["Unmask Sensitive Data", "Void"])
        #expect(json["passwords"] == [])
        let keys: JSONValue = [.string("\(try office.folder.get().path)/config/merchants/key.pem"), "/apple.cer"]
        #expect(
            json["applePay"] == [
                "acceptAppleSandbox": false, "applicationData": "header:X-Hash", "keys": keys, "match": "currency",
                "merchantIdentifier": "merchant.com.example", "submerchant": "shop-7", "trust": ["apple", "local"],
                "windowSeconds": 300,
            ])
    }
}
