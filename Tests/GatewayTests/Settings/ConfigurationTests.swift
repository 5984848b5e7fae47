import Testing

/// Settings and configuration files: the error for a misspelt or invalid one names it, before anything listens.
struct ConfigurationTests {
    private static let outcome =
        "{gatewayCode: APPROVED, result: SUCCESS, orderStatus: {AUTHORIZE: AUTHORIZED, PAY: CAPTURED}}"

    /// A file of a configuration folder, and what the refusal must name.
    static let files: [(file: String, content: String, names: [String])] = [
        ("tollgate.yaml", "prot: 8080", ["tollgate.yaml", "prot"]),
        ("tollgate.yaml", "Port: 8080", ["tollgate.yaml", "Port"]),
        ("tollgate.yaml", "port: 65536", ["tollgate.yaml", "port", "65536"]),
        ("tollgate.yaml", "port: [1]", ["tollgate.yaml", "port"]),
        ("tollgate.yaml", "port: 0\nport: 0", ["tollgate.yaml"]),
        ("tollgate.yaml", "clock: yesterday", ["tollgate.yaml", "clock", "yesterday"]),
        ("tollgate.yaml", "keepOrdersDays: 0", ["tollgate.yaml", "keepOrdersDays", "from 1"]),
        ("tollgate.yaml", "keepOrdersMax: -1", ["tollgate.yaml", "keepOrdersMax", "-1"]),
        ("tollgate.yaml", "sandbox: maybe", ["tollgate.yaml", "sandbox", "maybe"]),
        ("tollgate.yaml", "- port", ["tollgate.yaml", "mapping"]),
        ("tollgate.yaml", "port: [", ["tollgate.yaml", "YAML"]),
        ("simulator.yaml", "amouts: []\notherwise: \(outcome)", ["simulator.yaml", "amouts"]),
        ("simulator.yaml", "amounts: []", ["simulator.yaml", "otherwise", "missing"]),
        ("simulator.yaml", "amounts: [{amout: 1}]", ["simulator.yaml", "amounts[0].amout"]),
        ("simulator.yaml", "otherwise: {gatewayCod: APPROVED}", ["simulator.yaml", "otherwise.gatewayCod"]),
        ("simulator.yaml", "otherwise: {gatewayCode: FINE}", ["simulator.yaml", "otherwise"]),
        ("simulator.yaml", "amounts: [{amount: 1e3}]", ["simulator.yaml", "amount", "1e3"]),
        ("merchants/SHOP.yaml", "password: secret-word", ["SHOP.yaml", "password"]),
        ("merchants/SHOP.yaml", "currencies: [USD]", ["SHOP.yaml", "passwords"]),
        ("merchants/SHOP.yaml", "radial: {storeId: X}", ["SHOP.yaml", "radial.storeId"]),
        ("merchants/SHOP.yaml", "radial: {apiKeys: [{file: x}]}", ["SHOP.yaml", "radial.storeID", "missing"]),
        ("merchants/SHOP.yaml", "radial: {storeID: a b, apiKeys: [{file: x}]}", ["SHOP.yaml", "radial.storeID"]),
        ("merchants/SHOP.yaml", "radial: {storeID: X}", ["SHOP.yaml", "radial.apiKeys"]),
        (
            "merchants/SHOP.yaml", "radial: {storeID: X, apiKeys: [{file: x}], webhook: {url: 'ftp://x'}}",
            ["SHOP.yaml", "radial.webhook.url"]
        ),
        (
            "merchants/SHOP.yaml", "radial: {storeID: X, apiKeys: [{file: x}], webhook: {url: 'http://x', user: a}}",
            ["SHOP.yaml", "radial.webhook.user"]
        ),
        (
            "simulator.yaml",
            "otherwise: \(outcome.dropLast()), radial: {responseCode: DECL, authorizationResponseCode: ND01}}",
            ["simulator.yaml", "otherwise.gatewayCode", "radial codes"]
        ),
        ("merchants/SHOP.yaml", "passwords: [{digset: a}]", ["SHOP.yaml", "passwords[0].digset"]),
        ("merchants/SHOP.yaml", "passwords: [{digest: a}]", ["SHOP.yaml", "passwords[0].digest"]),
        ("merchants/SHOP.yaml", "passwords: [{file: nowhere}]", ["nowhere"]),
        ("merchants/SHOP.yaml", "passwords: [{environment: NO_SUCH_VARIABLE}]", ["SHOP.yaml", "environment"]),
        ("merchants/SHOP.yaml", "passwords: [{}]", ["SHOP.yaml", "passwords[0]"]),
        ("merchants/SHOP.yaml", "currencies: [USD, US]", ["SHOP.yaml", "currencies[1]", "US"]),
        ("merchants/SHOP.yaml", "applePay: {trsut: [apple]}", ["SHOP.yaml", "applePay.trsut"]),
        ("merchants/SHOP.yaml", "applePay: {trust: [visa]}", ["SHOP.yaml", "applePay.trust[0]", "visa"]),
        ("merchants/SHOP.yaml", "applePay: {trust: []}", ["SHOP.yaml", "applePay.trust"]),
        ("merchants/SHOP.yaml", "applePay: {windowSeconds: -1}", ["SHOP.yaml", "applePay.windowSeconds", "-1"]),
        ("merchants/SHOP.yaml", "applePay: {acceptAppleSandbox: yes}", ["SHOP.yaml", "acceptAppleSandbox", "yes"]),
        ("merchants/SHOP.yaml", "applePay: {keys: [{}]}", ["SHOP.yaml", "applePay.keys[0]"]),
        ("merchants/SHOP.yaml", "applePay: {keys: [{privateKye: a}]}", ["SHOP.yaml", "applePay.keys[0].privateKye"]),
        (
            "merchants/SHOP.yaml", "applePay: {keys: [{privateKey: no-key.pem, certificate: no-certificate.pem}]}",
            ["no-key.pem"]
        ),
        ("merchants/SHOP.yaml", "currencies: []", ["SHOP.yaml", "currencies", "at least one"]),
        ("merchants/SHOP.yaml", "applePay: {trust: [apple]}", ["SHOP.yaml", "applePay.keys", "at least one"]),
        ("merchants/SHOP.yaml", "applePay: {merchantIdentifier: ''}", ["SHOP.yaml", "merchantIdentifier"]),
        ("merchants/SHOP.yaml", "passwords: [{environment: NO_SUCH_VARIABLE}]", ["NO_SUCH_VARIABLE is not set"]),
        ("merchants/SHOP.yml", "passwords: []", ["SHOP.yml", "ends in .yaml"]),
        ("merchants/a shop.yaml", "passwords: []", ["a shop.yaml"]),
        ("merchants", "a file where the folder should be", ["config/merchants", "Not a directory"]),
        ("trust/AppleRootCA-G3.pem", "-----BEGIN CERTIFICATE-----", []),
    ]

    @Test func `the error for a fault in a configuration file names it, and nothing listens`() throws {
        for (file, content, names) in Self.files {
            let folder = try TestFolder()
            defer { folder.remove() }
            try folder.write("config/" + file, Array(content.utf8))
            // A merchant who needs Apple's root, so that it is read.
            if file.hasPrefix("trust/") {
                try folder.write("config/merchants/SHOP.yaml", Array("applePay: {trust: [apple]}".utf8))
            }

            // An option would go before the file's port.
            let port = content.contains("port:") ? [] : ["--port", "0"]
            let process = try ChildProcess(
                try BuiltProgram.path(),
                ["serve", "--data", folder.data, "--config", folder.path + "/config"] + port, errors: folder.errors)
            defer { process.kill() }
            let firstLine = try? process.firstLine()
            #expect(firstLine == nil, "\(file): \(content)")
            guard firstLine == nil else { continue }
            let ending = try process.wait()
            let errors = try folder.text("errors")
            let comment = Comment(rawValue: "\(file): \(content) → \(errors)")
            #expect(ending != .exited(0), comment)
            for name in names { #expect(errors.contains(name), comment) }
            #expect(!errors.contains("secret-word"), comment)
        }
    }

    @Test(arguments: [
        (["--prot", "0"], "--prot"), (["--port", "many"], "many"), (["--port", "65536"], "65536"),
        (["--port=-1"], "-1"), (["--clock", "noon"], "noon"), (["--clock", "2021-09-01"], "2021-09-01"),
        (["--clock", "2021-09-01T19:03:10"], "2021-09-01T19:03:10"),
        (["--clock", "2021-02-29T00:00:00Z"], "2021-02-29T00:00:00Z"), (["--sandbox", "perhaps"], "perhaps"),
        (["--config", "/no/such/folder"], "/no/such/folder"), (["--data", "/dev/null"], "/dev/null"),
        (["--data", "/proc/no/such"], "/proc/no"), (["extra"], "extra"),
    ])
    func `the error for an invalid option names it`(options: [String], name: String) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let hasData = options.contains("--data")
        let result = try folder.run(["serve"] + (hasData ? [] : ["--data", folder.data]) + options)
        #expect(result.status != 0)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains(name))
    }

    @Test(arguments: [
        (nil, nil, "2021"), (nil, "2022-01-01T00:00:00Z", "2022"),
        ("2023-01-01T00:00:00Z", "2022-01-01T00:00:00Z", "2023"),
    ])
    func `an option goes before the environment, and the environment before the file`(
        option: String?, variable: String?, year: String
    ) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        try folder.write("config/tollgate.yaml", Array("clock: 2021-01-01T00:00:00Z\n".utf8))
        let arguments =
            ["serve", "--port", "0", "--data", folder.data, "--config", folder.path + "/config"]
            + (option.map { ["--clock", $0] } ?? [])
        let process = try ChildProcess(
            try BuiltProgram.path(), arguments, environment: variable.map { ["TOLLGATE_CLOCK": $0] } ?? [:],
            errors: folder.errors)
        defer { process.kill() }
        #expect(try process.output(until: "merchants").contains("started at \(year)-01-01T00:00:00"))
    }

    @Test(arguments: ["digest", "file", "environment"])
    func `a merchant's password is given in any of three ways`(way: String) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let made = try folder.run("merchant", "password").text.split(separator: "\n")
        let password = try #require(made.first?.split(separator: " ").last.map(String.init))
        let digest = try #require(made.last?.split(separator: " ").last.map(String.init))
        let value = ["digest": digest, "file": "password", "environment": "SHOP_PASSWORD"][way] ?? ""
        try folder.write("config/merchants/password", Array((password + "\n").utf8))
        try folder.write("config/merchants/SHOP.yaml", Array("passwords: [{\(way): '\(value)'}]".utf8))

        let gateway = try RunningGateway(
            in: folder, "--config", folder.path + "/config", environment: ["SHOP_PASSWORD": password],
            credentials: .init(merchant: "SHOP", password: password))
        defer { gateway.kill() }
        let path = TransactionPath(merchant: "SHOP").text
        #expect(try gateway.send("GET", path).status == 400)
        #expect(try gateway.send("GET", path, as: .init(merchant: "SHOP", password: "x")).status == 401)
        #expect(try gateway.send("GET", path, as: .init(merchant: "SHOP", password: digest)).status == 401)
        // With a merchant of its own the gateway is no sandbox.
        let sandbox = TransactionPath(merchant: "TESTMERCHANT").text
        #expect(try gateway.send("GET", sandbox, as: .init(password: password)).status == 401)
    }

    @Test func `a merchant of a configuration is minted for and paid by the keys that it names`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        _ = try folder.mint()
        let merchant = """
            passwords: [{environment: SHOP_PASSWORD}]
            currencies: [EUR]
            applePay:
              trust: [local]
              keys: [{privateKey: \(folder.data)/sandbox/merchant.key.pem, certificate: ../../data/sandbox/merchant.pem}]
            """
        try folder.write("config/merchants/SHOP.yaml", Array(merchant.utf8))
        let config = folder.path + "/config"
        let environment = ["SHOP_PASSWORD": "shop-word"]
        let gateway = try RunningGateway(
            in: folder, "--config", config, environment: environment,
            credentials: .init(merchant: "SHOP", password: "shop-word"))
        defer { gateway.kill() }
        func mint(_ currency: String) throws -> [UInt8] {
            try folder.run(
                "token", "mint", "--data", folder.data, "--config", config, "--merchant", "SHOP", "--amount", "10",
                "--currency", currency, "--request", "PAY", environment: environment
            ).output
        }

        let paid = try gateway.put(TransactionPath(merchant: "SHOP"), try mint("EUR"))
        #expect(paid.status == 201)
        #expect(paid["order.status"] == "CAPTURED")
        let refused = try gateway.put(TransactionPath(order: "order-2", merchant: "SHOP"), try mint("USD"))
        #expect(refused.status == 400)
        #expect(refused["error.field"] == "order.currency")
    }
}
