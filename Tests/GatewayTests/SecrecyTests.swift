import Glibc
import JSON
import Testing
import Values

/// Card data, keys and passwords are neither kept nor told.
struct SecrecyTests {
    private static let devicePAN = "5289441200071352"
    private static let cardPAN = "4929770033314202"
    private static let refusedPAN = "4929770033314203"
    private static let decryptedPAN = "5289449987654324"
    private static let mintedCryptogram = "q83vASNFZ4mrze8BI0VniavN7w8="
    private static let decryptedCryptogram = "3q2+7wEjRWeJq83vASNFZ4mrze8="
    private static let password = "c0ffee5ecre7c0ffee5ecre7c0ffee01"
    private static let wrongPassword = "wr0ng5ecre7wr0ng5ecre7"
    private static let securityCode = "7391"
    private static let refusedSecurityCode = "739150284613"
    /// What may be kept: it shows that the search looks where things are kept.
    private static let marker = "marker-5f0c2b7e"

    @Test func `the numbers are such as the gateway takes and refuses`() {
        for number in [Self.devicePAN, Self.cardPAN, Self.decryptedPAN] {
            #expect(throws: Never.self) { try AccountNumber(number) }
        }
        #expect(throws: AccountNumber.Malformed.checkDigit) { try AccountNumber(Self.refusedPAN) }
    }

    @Test func `the search finds every form of a secret in a file, and nothing where there is none`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let secrets = [
            SecretScanner.Secret("number", Self.devicePAN), .init("cryptogram", Self.mintedCryptogram),
            .init("key", Array(0x80..<0xA0)),
        ]
        let scanner = SecretScanner(secrets)
        let noise: [UInt8] = Array("order-1 5289440000001357 \(Self.marker) q83vASNFZ4mr 818283".utf8)
        try folder.write("data/noise", noise)
        #expect(try scanner.findings(below: folder.data).isEmpty)

        for (index, pattern) in scanner.patterns.enumerated() {
            try folder.write("planted-\(index)/deep/file", noise + pattern.bytes + noise)
            #expect(
                try scanner.findings(below: folder.path + "/planted-\(index)").contains("deep/file: \(pattern.name)"))
        }
        // What is encoded together with other bytes is found as well.
        for secret in secrets {
            for before in 0..<3 {
                let encoded = Base64.encoded(noise.prefix(before) + secret.bytes + noise)
                #expect(!scanner.findings(in: Array(encoded.utf8)).isEmpty, "\(secret.name) after \(before)")
            }
        }
    }

    @Test(arguments: StoreOfGateway.allCases)
    func `after successes and refusals no secret is in the data directory, the store or the output`(
        store: StoreOfGateway
    ) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let server = store == .postgres ? try KeptByServer() : nil
        var environment = ["TOLLGATE_SANDBOX_PASSWORD": Self.password]
        environment["TOLLGATE_STORE_URL"] = server?.url
        let gateway = try RunningGateway(
            in: folder, environment: environment, credentials: .init(password: Self.password))
        defer { gateway.kill() }
        let token = try folder.mint(
            "5656.00", "--pan", Self.devicePAN, "--cryptogram", Self.mintedCryptogram, "--name", "Ada Secret-Lovelace",
            "--application-data", "order 1")
        try succeed(gateway, token)
        try beRefused(gateway, token)

        let secrets = try secrets(of: token, in: folder)
        let scanner = SecretScanner(secrets)
        let control = SecretScanner([.init("marker", Self.marker)])
        func expectNoSecrets(_ moment: String) throws {
            #expect(try scanner.findings(below: folder.data).filter { !Self.isLawful($0) } == [], "\(moment)")
            if let server {
                #expect(try server.findings(scanner) == [], "\(moment)")
                let found = try server.findings(control)
                for place in ["values: ", "data/base/", "data/pg_wal/"] {
                    #expect(found.contains { $0.hasPrefix(place) }, "\(moment): \(place)\(found)")
                }
                #expect(try !server.values().holdsNumber(Self.securityCode), "\(moment)")
            } else {
                #expect(try !control.findings(below: folder.data).isEmpty, "\(moment)")
            }
            for file in try TestFolder.files(below: folder.data) {
                let bytes = try folder.read(String(file.dropFirst(folder.path.count + 1)))
                #expect(!bytes.holdsNumber(Self.securityCode), "\(moment): \(file)")
            }
            #expect(scanner.findings(in: try folder.read("errors")) == [], "\(moment)")
        }

        let files = try TestFolder.files(below: folder.data)
        #expect(files.contains(folder.data + "/tollgate.sqlite-wal") == (store == .sqlite))
        try expectNoSecrets("running")
        gateway.kill()
        try expectNoSecrets("killed")
        #expect(scanner.findings(in: try gateway.process.outputToEnd()) == [])

        let next = try RunningGateway(in: folder, environment: environment, credentials: .init(password: Self.password))
        defer { next.kill() }
        #expect(try next.get(TransactionPath()).status == 200)
        #expect(try next.stop() == .exited(0))
        try expectNoSecrets("stopped")
        #expect(scanner.findings(in: try next.process.outputToEnd()) == [])

        // The search was in earnest: what is planted now is found.
        try folder.write("data/planted", Array("card \(Self.devicePAN)".utf8))
        #expect(try scanner.findings(below: folder.data).contains("planted: device PAN, plain"))
        if let server {
            try server.plant("card \(Self.devicePAN)")
            let found = try server.findings(scanner)
            #expect(found.contains("values: device PAN, plain") && found.contains("dump: device PAN, hex"))
            #expect(found.contains { $0.hasPrefix("data/base/") } && found.contains { $0.hasPrefix("data/pg_wal/") })
        }
    }

    @Test func `the sandbox's own password is shown in the banner and kept in its file, and nowhere else`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        #expect(try gateway.put(TransactionPath(), try folder.mintRequest()).status == 201)
        let scanner = SecretScanner([.init("password", gateway.credentials.password)])

        #expect(try gateway.stop() == .exited(0))
        #expect(try scanner.findings(below: folder.data) == ["sandbox/password: password, plain"])
        #expect(scanner.findings(in: try folder.read("errors")) == [])
        #expect(scanner.findings(in: try gateway.process.outputToEnd()) == ["password, plain"])
    }

    /// Keys that lie where they belong.
    private static func isLawful(_ finding: String) -> Bool {
        finding.hasPrefix("sandbox/merchant.key.pem: merchant's key")
            || finding.hasPrefix("installation.key: installation key")
    }

    /// What must not be found after a run with this token.
    private func secrets(of token: String, in folder: TestFolder) throws -> [SecretScanner.Secret] {
        let pem = try folder.read("data/sandbox/merchant.key.pem")
        let keys = try TokenKeys(of: token, merchantKey: pem)
        // It is the key that is searched for: it opens the token.
        #expect(try keys.plaintext(of: token).range(of: Array(Self.devicePAN.utf8)) != nil)

        // RFC 5915 §3: the private key of a P-256 key in PKCS #8 follows an OCTET STRING's tag and length of 32.
        let lines = String(decoding: pem, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("-") }
        let der = try #require(Base64.decoded(lines.joined()))
        let scalar = try #require(der.range(of: [0x02, 0x01, 0x01, 0x04, 0x20])?.upperBound)
        return [
            .init("device PAN", Self.devicePAN), .init("card PAN", Self.cardPAN),
            .init("refused PAN", Self.refusedPAN), .init("decrypted PAN", Self.decryptedPAN),
            .init("minted cryptogram", Self.mintedCryptogram),
            .init("minted cryptogram's bytes", Base64.decoded(Self.mintedCryptogram) ?? []),
            .init("decrypted cryptogram", Self.decryptedCryptogram),
            .init("decrypted cryptogram's bytes", Base64.decoded(Self.decryptedCryptogram) ?? []),
            .init("name on card", "Secret-Lovelace"), .init("refused security code", Self.refusedSecurityCode),
            .init("password", Self.password), .init("wrong password", Self.wrongPassword),
            .init("symmetric key", keys.symmetricKey.withUnsafeBytes { Array($0) }),
            .init("shared secret", keys.sharedSecret.withUnsafeBytes { Array($0) }),
            .init("merchant's key", Array(der[scalar..<scalar + 32])),
            .init("installation key", try folder.read("data/installation.key")),
        ]
    }

    /// Pays in each way that there is.
    private func succeed(_ gateway: RunningGateway, _ token: String) throws {
        #expect(try gateway.put(TransactionPath(), PaymentRequest.token(token, amount: "5656.00")).status == 201)
        let plain = PaymentRequest.body(
            amount: "10.00", operation: "PAY", wallet: nil,
            card: [
                "number": .string(Self.cardPAN), "expiry": ["month": "5", "year": "39"],
                "nameOnCard": "Ada Secret-Lovelace", "securityCode": .string(Self.securityCode),
            ], reference: Self.marker)
        #expect(try gateway.put(TransactionPath(order: "plain"), plain).status == 201)
        for (amount, order) in [("10.00", "decrypted"), ("5757.00", "declined"), ("6363.00", "unknown")] {
            let decrypted = PaymentRequest.body(amount: amount, card: Self.deviceCard(Self.decryptedPAN))
            #expect(try gateway.put(TransactionPath(order: order), decrypted).status == 201)
            #expect(try gateway.put(TransactionPath(order: order), decrypted).status == 201)
            #expect(try gateway.send("GET", TransactionPath(order: order).ofOrder).status == 200)
        }
    }

    private static func deviceCard(_ number: String) -> JSONValue {
        [
            "number": .string(number), "expiry": ["month": "1", "year": "39"], "nameOnCard": "Ada Secret-Lovelace",
            "devicePayment": [
                "cryptogramFormat": "3DSECURE", "onlinePaymentCryptogram": .string(decryptedCryptogram),
                "eciIndicator": "7",
            ],
        ]
    }

    /// Is refused in each way that there is.
    private func beRefused(_ gateway: RunningGateway, _ token: String) throws {
        guard case .object(let members) = try JSONValue(parsing: token) else {
            Issue.record("no token was minted")
            return
        }
        for alteration in TokenInspectTests.alterations where !alteration.failed.isEmpty {
            var altered = members
            try alteration.alter(&altered)
            let text = String(decoding: JSONValue.object(altered).serialized(), as: UTF8.self)
            let reply = try gateway.put(
                TransactionPath(order: "altered"), PaymentRequest.token(text, amount: "5656.00"))
            #expect(reply.status == 400)
            #expect(reply["error.explanation"]?.contains("'\(alteration.failed[0])'") == true, "\(alteration)")
        }
        let refusedCards: [JSONValue] = [
            ["number": .string(Self.refusedPAN), "expiry": ["month": "5", "year": "39"]],
            ["number": .string(Self.cardPAN), "expiry": ["month": "13", "year": "39"]],
            [
                "number": .string(Self.cardPAN), "expiry": ["month": "5", "year": "39"],
                "securityCode": .string(Self.refusedSecurityCode),
            ],
            ["number": .string(Self.cardPAN), "devicePayment": ["paymentToken": .string(token)]],
            ["number": .string("x" + Self.cardPAN), "expiry": ["month": "5", "year": "39"]],
        ]
        var bodies = refusedCards.map { PaymentRequest.body(amount: "10.00", card: $0) }
        bodies.append(PaymentRequest.body(amount: "10.00", operation: "VOID", card: Self.deviceCard(Self.decryptedPAN)))
        bodies.append(Array(bodies[0].dropLast()))
        bodies.append(bodies[0] + Array(Self.cardPAN.utf8))
        for body in bodies {
            let reply = try gateway.put(TransactionPath(order: "refused"), body)
            #expect(reply.status == 400)
            for number in [Self.cardPAN, Self.refusedPAN, Self.refusedSecurityCode] {
                #expect(!reply.text.contains(number))
            }
        }
        for path in [TransactionPath().text, TransactionPath().ofOrder] {
            #expect(try gateway.send("GET", path, as: .init(password: Self.wrongPassword)).status == 401)
        }
        let replay = try gateway.put(
            TransactionPath(order: "replay"), PaymentRequest.token(token, amount: "5656.00"))
        #expect(replay.status == 400)
        let connection = try HTTPConnection(port: gateway.port)
        try connection.send(
            "PUT /\(Self.cardPAN) HTTP/1.1\r\nHost: a\r\nX : \(Self.mintedCryptogram)\r\n" + gateway.credentials.field
                + "\r\n")
        #expect(try HTTPReply(only: try connection.receiveToEnd()).status == 400)
    }
}

extension [UInt8] {
    /// Whether digits stand somewhere by themselves, with no letter or digit before or behind them.
    fileprivate func holdsNumber(_ digits: String) -> Bool {
        var rest = self
        while let found = rest.range(of: Array(digits.utf8)) {
            let isAlone = [found.lowerBound - 1, found.upperBound].allSatisfy { index in
                !rest.indices.contains(index) || isalnum(Int32(rest[index])) == 0
            }
            if isAlone { return true }
            rest.removeFirst(found.upperBound)
        }
        return false
    }
}
