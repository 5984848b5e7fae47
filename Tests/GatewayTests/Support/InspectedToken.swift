import JSON

/// What `token inspect --json` said of a token.
struct InspectedToken {
    /// A step as it was reported.
    struct Step {
        let name: String
        let outcome: String
        let detail: String
    }

    /// The names of all steps, in the order in which they are taken.
    static let order = [
        "parse", "certificates", "chain", "signature", "signingTime", "publicKeyHash", "symmetricKey", "decrypt",
        "paymentData", "transactionDetails", "replay",
    ]

    /// The exit status.
    let status: Int32
    let json: JSONValue
    let steps: [Step]

    init(_ result: CommandResult) throws {
        status = result.status
        json = try JSONValue(parsing: result.output)
        guard case .array(let elements) = json["steps"] else { throw HTTPConnection.Failure.notHTTP(result.text) }
        steps = try elements.map { element in
            guard case .string(let name) = element["step"], case .string(let outcome) = element["outcome"],
                case .string(let detail) = element["detail"]
            else { throw HTTPConnection.Failure.notHTTP(result.text) }
            return Step(name: name, outcome: outcome, detail: detail)
        }
    }

    /// The names of the steps with an outcome.
    func steps(that outcome: String) -> [String] { steps.filter { $0.outcome == outcome }.map(\.name) }

    /// A text by its dotted path.
    subscript(path: String) -> String? {
        var value = json
        for name in path.split(separator: ".") {
            guard let member = value[String(name)] else { return nil }
            value = member
        }
        guard case .string(let text) = value else { return nil }
        return text
    }
}

extension TestFolder {
    /// The options by which `token inspect` opens what `token mint` minted.
    var sandboxKey: [String] {
        let sandbox = data + "/sandbox"
        return [
            "--root", sandbox + "/root.pem", "--key", sandbox + "/merchant.key.pem", "--certificate",
            sandbox + "/merchant.pem",
        ]
    }

    /// The same for a token of `RSA_v1`.
    var sandboxRSAKey: [String] {
        let sandbox = data + "/sandbox"
        return [
            "--root", sandbox + "/root.pem", "--key", sandbox + "/rsa/merchant.key.pem", "--certificate",
            sandbox + "/rsa/merchant.pem",
        ]
    }

    /// What `token inspect` says of a token that `token mint` minted.
    func inspect(_ token: some Sequence<UInt8>, _ further: String...) throws -> InspectedToken {
        try InspectedToken(run(["token", "inspect", "-", "--json"] + sandboxKey + further, input: Array(token)))
    }
}
