import ArgumentParser
import Payments
import Values

/// `tollgate token`: mints and inspects payment tokens.
struct Token: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Mint payment tokens, or look into them.",
        subcommands: [TokenInspect.self, TokenMintCommand.self])
}

/// An amount with its currency, as two command options.
struct TotalOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The order's amount, such as 5656.00.", valueName: "amount"))
    var amount: String?

    @Option(help: ArgumentHelp("The order's currency, an ISO 4217 code such as USD.", valueName: "code"))
    var currency: String?

    /// The amount; nil if neither option was given.
    func total() throws -> Amount? {
        switch (amount, currency) {
        case (nil, nil): return nil
        case (.some(let amount), .some(let code)):
            guard let currency = Currency(code: code) else {
                throw ValidationError("--currency \(code): not a code of ISO 4217")
            }
            do { return try Amount(amount, currency) } catch {
                throw ValidationError("--amount \(amount): \(error.explanation(currency))")
            }
        default: throw ValidationError("--amount and --currency go together")
        }
    }
}

extension Instant {
    /// Reads an option's RFC 3339 instant in UTC, such as `2021-09-01T19:03:10Z`.
    static func option(_ text: String) throws -> Instant {
        guard let instant = Instant(rfc3339: text) else {
            throw ValidationError("\(text): not an instant in UTC such as 2021-09-01T19:03:10Z")
        }
        return instant
    }
}

extension Amount.Malformed {
    /// Describes why an amount is invalid, as text.
    fileprivate func explanation(_ currency: Currency) -> String {
        switch self {
        case .notDecimal: "not a plain decimal such as 12.50"
        case .length: "longer than 14 characters"
        case .decimals(let max): "\(currency) has \(max) decimals at most"
        case .exceedsMaximum: "more than 1000000000000"
        }
    }
}
