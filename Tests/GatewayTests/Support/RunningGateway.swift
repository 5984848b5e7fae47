import Foundation
import Glibc
import JSON
import Values

/// The built program, serving on a port of this machine that the system chose.
final class RunningGateway {
    /// The merchant and its password.
    struct Credentials {
        var merchant = "TESTMERCHANT"
        var password: String

        /// The field by which HTTP sends them.
        var field: String {
            "Authorization: Basic \(Base64.encoded(Array("merchant.\(merchant):\(password)".utf8)))\r\n"
        }
    }

    let process: ChildProcess
    /// The first line of standard output.
    let firstLine: String
    let port: UInt16
    var credentials: Credentials

    /// Starts a gateway on the folder's data directory, and waits until it listens.
    ///
    /// - Parameter credentials: the sandbox merchant's if none are given.
    convenience init(
        in folder: TestFolder, _ arguments: String..., environment: [String: String] = [:],
        credentials: Credentials? = nil
    ) throws {
        try self.init(in: folder, arguments, environment: environment, credentials: credentials)
    }

    /// Starts a gateway with arguments that were gathered.
    init(
        in folder: TestFolder, _ arguments: [String], environment: [String: String] = [:],
        credentials: Credentials? = nil, onTerminal: Bool = false
    ) throws {
        process = try ChildProcess(
            try BuiltProgram.path(),
            ["serve", "--port", "0", "--operations-port", "0", "--data", folder.data] + arguments,
            environment: environment, errors: folder.errors, onTerminal: onTerminal)
        firstLine = try process.firstLine()
        let start = "listening on http://127.0.0.1:"
        guard firstLine.hasPrefix(start), let port = UInt16(firstLine.dropFirst(start.count)) else {
            throw ChildProcess.Failure.outputEnded(outputSoFar: firstLine)
        }
        self.port = port
        self.credentials =
            try credentials
            ?? Credentials(password: folder.text("data/sandbox/password").filter { !$0.isNewline })
    }

    /// The command of a banner that is to be pasted, with its continued lines.
    static func command(ofBanner banner: String) -> String? {
        guard let rest = banner.components(separatedBy: "Mint a token and authorize it").last,
            let command = rest.firstRange(of: ":\n\n").map({ rest[$0.upperBound...] })
        else { return nil }
        return command.replacing("\\\n", with: "").split(separator: "\n").first.map(String.init)
    }

    /// Ends the gateway at once, as a power cut would.
    func kill() { process.kill() }

    /// Asks the gateway to finish, and waits until it has.
    func stop() throws -> ChildProcess.Ending {
        process.signal(SIGTERM)
        return try process.wait()
    }
}

/// Where a transaction lies.
struct TransactionPath {
    var order = "order-1"
    var transaction = "1"
    var merchant = "TESTMERCHANT"

    var ofOrder: String { "/api/rest/version/100/merchant/\(merchant)/order/\(order)" }
    var text: String { "\(ofOrder)/transaction/\(transaction)" }
}

extension RunningGateway {
    /// Sends one request on a connection of its own and returns the only response, once it was held to `openapi.yaml`.
    func send(
        _ method: String, _ path: String, _ body: [UInt8]? = nil, as credentials: Credentials? = nil
    ) throws -> HTTPReply {
        try send(method, path, body, fields: (credentials ?? self.credentials).field)
    }

    /// Sends one request with header fields of one's own, each with its end.
    func send(_ method: String, _ path: String, _ body: [UInt8]?, fields: String) throws -> HTTPReply {
        let reply = try Exchange.reply(method, path, body ?? [], port: port, fields: fields)
        try OpenAPIDescription.ofRepository.get().check(method, path, reply)
        return reply
    }

    /// Sends a transaction.
    func put(_ path: TransactionPath, _ body: some Collection<UInt8>) throws -> HTTPReply {
        try send("PUT", path.text, Array(body))
    }

    /// Asks for a transaction.
    func get(_ path: TransactionPath) throws -> HTTPReply { try send("GET", path.text) }
}

extension TestFolder {
    /// Makes the keys of a data directory, unless a gateway has made them.
    func makeKeys() throws {
        guard !FileManager.default.fileExists(atPath: data + "/sandbox") else { return }
        let result = try run(["key", "create", data])
        guard result.status == 0 else { throw MintFailed(errors: result.errors) }
    }

    /// A token from `token mint`, without the line's end.
    func mint(_ amount: String = "5656.00", _ further: String...) throws -> String {
        try makeKeys()
        let result = try run(["token", "mint", "--data", data, "--amount", amount, "--currency", "USD"] + further)
        guard result.status == 0 else { throw MintFailed(errors: result.errors) }
        return result.text.filter { !$0.isNewline }
    }

    /// A whole request from `token mint --request`.
    func mintRequest(
        _ amount: String = "5656.00", operation: String = "AUTHORIZE", _ further: String...
    ) throws -> [UInt8] {
        try makeKeys()
        let result = try run(
            ["token", "mint", "--data", data, "--amount", amount, "--currency", "USD", "--request", operation]
                + further)
        guard result.status == 0 else { throw MintFailed(errors: result.errors) }
        return result.output
    }

    /// No token was minted.
    struct MintFailed: Error {
        let errors: String
    }
}

/// The content of AUTHORIZE and PAY.
enum PaymentRequest {
    /// A payment with a token.
    static func token(_ token: String, amount: String, operation: String = "AUTHORIZE") -> [UInt8] {
        body(amount: amount, operation: operation, card: ["devicePayment": ["paymentToken": .string(token)]])
    }

    /// CAPTURE or REFUND.
    static func later(_ operation: String, amount: String) -> [UInt8] {
        let request: JSONValue = [
            "apiOperation": .string(operation), "transaction": ["amount": .string(amount), "currency": "USD"],
        ]
        return request.serialized()
    }

    /// A payment with a card in clear, a device's or another.
    static func body(
        amount: String, operation: String = "AUTHORIZE", wallet: String? = "APPLE_PAY", card: JSONValue,
        reference: String? = nil
    ) -> [UInt8] {
        var order: JSONObject = ["amount": .string(amount), "currency": "USD"]
        order["walletProvider"] = wallet.map(JSONValue.string)
        order["reference"] = reference.map(JSONValue.string)
        let request: JSONValue = [
            "apiOperation": .string(operation), "order": .object(order),
            "sourceOfFunds": ["provided": ["card": card], "type": "CARD"], "transaction": ["source": "INTERNET"],
        ]
        return request.serialized()
    }
}
