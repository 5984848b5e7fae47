import JSON
import TestSupport
import Testing

/// Several gateways on one database: whatever holds of one holds of all of them together.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct ClusterTests {
    private static let base = "/api/rest/version/100/merchant/TESTMERCHANT"

    private static func request(_ operation: String, _ amount: String) -> [UInt8] {
        let body: JSONValue = [
            "apiOperation": .string(operation), "transaction": ["amount": .string(amount), "currency": "USD"],
        ]
        return body.serialized()
    }

    @Test func `what one gateway answered every other answers with the same bytes`() throws {
        let cluster = try Cluster(3, on: PostgresServer.shared().url())
        defer { cluster.remove() }
        let request = try cluster.mintRequest()
        let first = try cluster.gateways[0].put(TransactionPath(), request)
        #expect(first.status == 201)
        for gateway in cluster.gateways {
            #expect(try gateway.put(TransactionPath(), request).body == first.body)
            #expect(try gateway.get(TransactionPath()).body == first.body)
            let other = try gateway.put(TransactionPath(), try cluster.mintRequest("1.00"))
            #expect(other["error.explanation"]?.contains("the transaction parameters do not match") == true)
            let replayed = try gateway.put(TransactionPath(order: "order-2"), request)
            #expect(replayed["error.explanation"]?.contains("refused at step 'replay'") == true)
        }
    }

    @Test func `a session and a token are the same on every gateway`() throws {
        let cluster = try Cluster(3, on: PostgresServer.shared().url())
        defer { cluster.remove() }
        let (one, two, three) = (cluster.gateways[0], cluster.gateways[1], cluster.gateways[2])
        let card: JSONValue = [
            "sourceOfFunds": [
                "provided": ["card": ["expiry": ["month": "05", "year": "39"], "number": "5123450000000008"]]
            ]
        ]
        let session = try #require(try one.send("POST", Self.base + "/session", [])["session.id"])
        #expect(try two.send("PUT", "\(Self.base)/session/\(session)", card.serialized()).status == 200)
        let token = try #require(
            try three.send(
                "POST", Self.base + "/token", JSONValue.object(["session": ["id": .string(session)]]).serialized())[
                    "token"])
        let order: JSONValue = ["amount": "10.00", "currency": "USD"]
        let bySession: JSONValue = ["apiOperation": "PAY", "order": order, "session": ["id": .string(session)]]
        #expect(try one.put(TransactionPath(order: "o-1"), bySession.serialized()).status == 201)
        let byToken: JSONValue = [
            "apiOperation": "PAY", "order": order, "sourceOfFunds": ["token": .string(token)],
        ]
        #expect(try two.put(TransactionPath(order: "o-2"), byToken.serialized()).status == 201)
        #expect(try one.send("DELETE", "\(Self.base)/token/\(token)").status == 200)
        #expect(try three.put(TransactionPath(order: "o-3"), byToken.serialized()).status == 400)
    }

    @Test func `a token that is presented to all of them at once is credited once`() throws {
        let cluster = try Cluster(3, on: PostgresServer.shared().url())
        defer { cluster.remove() }
        let request = try cluster.mintRequest()
        let replies = try cluster.putAtOnce(24) { (TransactionPath(order: "order-\($0)"), request) }
        #expect(replies.count { $0.status == 201 } == 1)
        #expect(
            replies.count { $0["error.explanation"]?.contains("refused at step 'replay'") == true } == 23)
    }

    @Test func `captures of one order by all of them at once never exceed it`() throws {
        let cluster = try Cluster(2, on: PostgresServer.shared().url())
        defer { cluster.remove() }
        #expect(try cluster.gateways[0].put(TransactionPath(), try cluster.mintRequest("5656.00")).status == 201)
        let replies = try cluster.putAtOnce(12) { number in
            (TransactionPath(transaction: "capture-\(number)"), Self.request("CAPTURE", "1000.00"))
        }
        #expect(replies.count { $0["result"] == "SUCCESS" } == 5)
        #expect(replies.count { $0.status == 400 } == 7)
        for gateway in cluster.gateways {
            let order = try gateway.send("GET", TransactionPath().ofOrder)
            #expect(order["totalCapturedAmount"] == "5000.00")
        }
    }

    @Test func `of the same requests to all of them at once one is done, and all have its answer`() throws {
        let cluster = try Cluster(3, on: PostgresServer.shared().url())
        defer { cluster.remove() }
        let request = try cluster.mintRequest()
        let replies = try cluster.putAtOnce(12) { _ in (TransactionPath(), request) }
        #expect(Set(replies.map(\.status)) == [201])
        #expect(Set(replies.map(\.body)).count == 1)
    }

    @Test func `a gateway with other keys does not start on the database`() throws {
        let server = try PostgresServer.shared()
        let url = try server.url()
        let cluster = try Cluster(1, on: url)
        defer { cluster.remove() }
        let folder = try TestFolder()
        defer { folder.remove() }
        let result = try folder.run(
            ["serve", "--port", "0", "--operations-port", "0", "--data", folder.data],
            environment: ["TOLLGATE_STORE_URL": url])
        #expect(result.status == 1)
        #expect(result.errors.contains("\(folder.data)/installation.key is not the key of \(server.directory)"))
        #expect(result.errors.contains("--keys-folder"))
        // With a copy of the keys it does.
        let copied = try folder.write("keys/installation.key", try cluster.keys.read("data/installation.key"))
        let another = try RunningGateway(
            in: folder, "--keys-folder", String(copied.dropLast("/installation.key".count)),
            environment: ["TOLLGATE_STORE_URL": url, "TOLLGATE_SANDBOX_PASSWORD": "none"],
            credentials: .init(password: "none"))
        defer { another.kill() }
        #expect(try folder.run("ready", "--data", folder.data).status == 0)
    }

    @Test(arguments: [
        ("mysql://user:hush@host/database", "storeURL: a PostgreSQL URL begins with postgres://"),
        ("postgres://user:hu/sh@host/database", "%40, %2F"), ("", "TOLLGATE_STORE_URL: expected a URL"),
    ])
    func `a URL that can't be used is refused without a word of it`(url: String, reason: String) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let result = try folder.run(
            ["serve", "--port", "0", "--data", folder.data], environment: ["TOLLGATE_STORE_URL": url])
        #expect(result.status == 1)
        #expect(result.errors.contains(reason), "\(result.errors)")
        #expect(!result.errors.contains("hu") && !result.text.contains("hu"))
    }
}
