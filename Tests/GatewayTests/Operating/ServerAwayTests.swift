import Glibc
import JSON
import TestSupport
import Testing

/// A gateway whose database server is away, comes back, or is lost in the middle of a commit.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct ServerAwayTests {
    private static let unwilling = "not ready: the store can't be read\n"

    /// Asks until the gateway is ready.
    private static func waitUntilReady(_ folder: TestFolder) throws {
        while try folder.run("ready", "--data", folder.data).status != 0 { usleep(100_000) }
    }

    @Test func `a gateway that is started before its server isn't ready, and goes on by itself`() throws {
        let server = try PostgresServer()
        let url = try server.url()
        server.kill()
        let cluster = try Cluster(1, on: url)
        defer { cluster.remove() }
        let (gateway, folder) = (cluster.gateways[0], cluster.folders[0])
        let asked = try folder.run("ready", "--data", folder.data)
        #expect(asked.status == 1 && asked.errors == Self.unwilling)
        let request = try cluster.mintRequest()
        let busy = try gateway.put(TransactionPath(), request)
        #expect(busy.status == 503 && busy["error.cause"] == "SERVER_BUSY")
        #expect(try folder.text("errors").contains("not there, so not ready until it is: PostgreSQL: "))

        try server.start()
        try Self.waitUntilReady(folder)
        #expect(try gateway.put(TransactionPath(), request).status == 201)
        #expect(try folder.text("errors").contains(": open now\n"))
        #expect(try gateway.stop() == .exited(0))
    }

    @Test func `a gateway whose payments its server refuses isn't ready until it takes them`() throws {
        let server = try PostgresServer()
        let url = try server.url()
        let schema = String(url.split(separator: "%3D").last ?? "")
        let cluster = try Cluster(1, on: url)
        defer { cluster.remove() }
        let (gateway, folder) = (cluster.gateways[0], cluster.folders[0])
        #expect(try gateway.put(TransactionPath(order: "before"), PaymentRequest.plain("10.00")).status == 201)
        try server.query(
            """
            CREATE FUNCTION interfere() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$;
            CREATE TRIGGER interfere BEFORE INSERT OR UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION interfere();
            """, schema: schema)
        for number in 0..<3 {
            let path = TransactionPath(order: "during-\(number)")
            #expect(try gateway.put(path, PaymentRequest.plain("10.00")).status == 503)
            let session = "/api/rest/version/100/merchant/TESTMERCHANT/session"
            #expect(try gateway.send("POST", session, []).status == 201)
            #expect(try gateway.get(TransactionPath(order: "before")).status == 200)
            let asked = try folder.run("ready", "--data", folder.data, "--timeout", "60")
            #expect(asked.status == 1 && asked.errors == "not ready: the store can't be written\n")
            sleep(1)
        }
        #expect(try !folder.text("errors").contains("works again"))
        try server.query("DROP TRIGGER interfere ON orders", schema: schema)
        try Self.waitUntilReady(folder)
        #expect(try gateway.put(TransactionPath(order: "after"), PaymentRequest.plain("10.00")).status == 201)
    }

    @Test func `what waiting can't mend ends a gateway that waited`() throws {
        let server = try PostgresServer()
        let url = try server.url()
        let other = try Cluster(1, on: url)
        defer { other.remove() }
        server.kill()
        let cluster = try Cluster(1, on: url)
        defer { cluster.remove() }
        try server.start()
        #expect(try cluster.gateways[0].process.wait() == .exited(1))
        #expect(
            try cluster.folders[0].text("errors").contains(
                "\(cluster.keys.data)/installation.key is not the key of \(server.directory)"))
        try Self.waitUntilReady(other.folders[0])
    }

    @Test func `while its server is killed or hangs a gateway is busy and not ready, and loses nothing`() throws {
        let server = try PostgresServer()
        let cluster = try Cluster(1, on: server.url())
        defer { cluster.remove() }
        let (gateway, folder) = (cluster.gateways[0], cluster.folders[0])
        let kept = try cluster.mintRequest()
        let before = try gateway.put(TransactionPath(), kept)
        #expect(before.status == 201)

        let ways: [(leave: () -> Void, comeBack: () throws -> Void)] = [
            ({ server.kill() }, { try server.start() }),
            ({ server.signal(SIGSTOP) }, { server.signal(SIGCONT) }),
        ]
        for (number, way) in ways.enumerated() {
            way.leave()
            let path = TransactionPath(order: "away-\(number)")
            let request = try cluster.mintRequest()
            for reply in [
                try gateway.put(path, request), try gateway.get(TransactionPath()),
                try gateway.send("POST", "/api/rest/version/100/merchant/TESTMERCHANT/session", []),
            ] {
                #expect(reply.status == 503 && reply["error.cause"] == "SERVER_BUSY")
            }
            // The store answers within two seconds, which is as long as `ready` waits.
            let asked = try folder.run("ready", "--data", folder.data, "--timeout", "60")
            #expect(asked.status == 1 && asked.errors == Self.unwilling)

            try way.comeBack()
            try Self.waitUntilReady(folder)
            #expect(try gateway.put(TransactionPath(), kept).body == before.body)
            let done = try gateway.put(path, request)
            #expect(done.status == 201)
            #expect(try gateway.get(path).body == done.body)
        }
    }

    @Test(arguments: CuttingProxy.Cut.allCases)
    func `a payment whose commit is cut is answered once the outcome is known`(cut: CuttingProxy.Cut) throws {
        let server = try PostgresServer.shared()
        let url = try server.url()
        let schema = try #require(url.split(separator: "%3D").last.map(String.init))
        let proxy = try CuttingProxy(to: server)
        defer { proxy.stop() }
        let cluster = try Cluster(1, on: proxy.url(schema: schema))
        defer { cluster.remove() }
        let gateway = cluster.gateways[0]
        for number in 1...3 {
            let path = TransactionPath(order: "cut-\(number)")
            let request = try cluster.mintRequest()
            proxy.arm(cut)
            var reply = try gateway.put(path, request)
            #expect(!proxy.isArmed, "nothing was cut")
            // On a busy machine there may be no time left to look; the repeated request shows it.
            while reply.status == 503 { reply = try gateway.put(path, request) }
            #expect(reply.status == 201)
            #expect(try gateway.get(path).body == reply.body)
            #expect(try gateway.put(path, request).body == reply.body)
            let history = try gateway.send("GET", path.ofOrder)
            #expect(history["totalAuthorizedAmount"] == "5656.00" && history["transaction.1.result"] == nil)
        }
        #expect(try server.query("SELECT count(*) FROM transactions", schema: schema) == ["3"])
        #expect(
            try server.query("SELECT count(*) FROM tokens WHERE is_credited AND merchant <> ''::bytea", schema: schema)
                == ["3"])
    }
}
