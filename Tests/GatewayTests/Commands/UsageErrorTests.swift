import Testing

/// What a mistyped call is answered with.
struct UsageErrorTests {
    @Test(arguments: [
        ("srve", "Unexpected argument 'srve'. Did you mean 'serve'?", "tollgate"),
        ("token mnit", "Unexpected argument 'mnit'. Did you mean 'mint'?", "tollgate token"),
        ("token mint --amonut 5", "Unknown option '--amonut'. Did you mean '--amount'?", "tollgate token mint"),
        ("serve --prot 80", "Unknown option '--prot'. Did you mean '--port'?", "tollgate serve"),
        ("serve --confg x", "Unknown option '--confg'. Did you mean '--config'?", "tollgate serve"),
        (
            "config show --acess-log off", "Unknown option '--acess-log'. Did you mean '--access-log'?",
            "tollgate config show"
        ),
        ("--verison", "Unknown option '--verison'. Did you mean '--version'?", "tollgate"),
        ("bogus", "Unexpected argument 'bogus'", "tollgate"),
        ("ready --prt 1", "Unknown option '--prt'", "tollgate ready"),
        ("serve --port", "Missing value for '--port <port>': a port from 0 to 65535", "tollgate serve"),
        ("merchant create A --currency ABC", "--currency ABC: not a code of ISO 4217", "tollgate merchant create"),
        ("merchant show a/b", "a/b: a merchant id is 1 to 40 of 0-9 A-Z a-z _ -", "tollgate merchant show"),
        ("token mint --currency USD --amount x", "--amount x: ", "tollgate token mint"),
    ])
    func `an error says what was meant and points to the command's own help`(
        call: String, error: String, command: String
    ) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let arguments = call.split(separator: " ").map(String.init)
        let isOfMerchants = arguments[0] == "merchant" || arguments.starts(with: ["token", "mint"])
        let result = try folder.run(arguments + (isOfMerchants ? ["--data", folder.data] : []))
        let lines = result.errors.split(separator: "\n").map(String.init)
        #expect(result.status == 64)
        #expect(
            error.hasSuffix(" ") ? lines.first?.hasPrefix("Error: " + error) == true : lines.first == "Error: " + error)
        #expect(lines.contains { $0.hasPrefix("Usage: \(command) ") }, "\(result.errors)")
        #expect(lines.last == "  See '\(command) --help' for more information.")
        #expect(result.output.isEmpty)
    }
}
