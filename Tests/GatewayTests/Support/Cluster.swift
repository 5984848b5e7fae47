import Foundation
import Synchronization
import TestSupport

/// Gateways on one database, each with a data directory of its own, and all with the same keys.
struct Cluster {
    private static let password = "0123456789abcdef0123456789abcdef"

    let keys: TestFolder
    let folders: [TestFolder]
    let gateways: [RunningGateway]

    /// Starts gateways, one after the other.
    ///
    /// - Parameter url: the database.
    init(_ count: Int, on url: String) throws {
        let keys = try TestFolder()
        self.keys = keys
        let created = try keys.run("key", "create", keys.data)
        guard created.status == 0 else { throw TestFolder.MintFailed(errors: created.errors) }
        folders = try (0..<count).map { _ in try TestFolder() }
        gateways = try folders.map { folder in
            try RunningGateway(
                in: folder,
                environment: [
                    "TOLLGATE_STORE_URL": url, "TOLLGATE_KEYS_FOLDER": keys.data,
                    "TOLLGATE_SANDBOX_PASSWORD": Self.password,
                ], credentials: .init(password: Self.password))
        }
    }

    /// Ends the gateways at once and removes what they kept but for the database.
    func remove() {
        for gateway in gateways { gateway.kill() }
        for folder in folders + [keys] { folder.remove() }
    }

    /// A whole request with a token of the cluster's authority.
    func mintRequest(_ amount: String = "5656.00", operation: String = "AUTHORIZE") throws -> [UInt8] {
        let folder = folders[0]
        let result = try folder.run([
            "token", "mint", "--data", folder.data, "--keys-folder", keys.data, "--amount", amount, "--currency", "USD",
            "--request", operation,
        ])
        guard result.status == 0 else { throw TestFolder.MintFailed(errors: result.errors) }
        return result.output
    }

    /// Sends requests at the same time, each over a connection of its own, to one gateway after the other.
    ///
    /// - Parameter request: the path and the body of each, by its number.
    func putAtOnce(_ count: Int, _ request: (Int) throws -> (TransactionPath, [UInt8])) throws -> [HTTPReply] {
        let requests = try (0..<count).map { number in
            let (path, body) = try request(number)
            return (gateways[number % gateways.count].port, path.text, body)
        }
        let field = gateways[0].credentials.field
        let replies = Mutex<[Int: Result<HTTPReply, any Error>]>([:])
        let done = DispatchGroup()
        for (number, (port, path, body)) in requests.enumerated() {
            done.enter()
            Thread.detachNewThread {
                let reply = Result {
                    try Exchange.reply("PUT", path, body, port: port, fields: field)
                }
                replies.withLock { $0[number] = reply }
                done.leave()
            }
        }
        done.wait()
        return try replies.withLock { replies in try (0..<count).compactMap { try replies[$0]?.get() } }
    }
}
