import Testing

/// What was answered is on disk.
struct DurabilityTests {
    @Test(arguments: [("AUTHORIZE", "AUTHORIZED"), ("PAY", "CAPTURED")])
    func `killed right after its reply, the gateway gives the same bytes when it runs again`(
        operation: String, status: String
    ) throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        let path = TransactionPath()
        let request = try folder.mintRequest(operation: operation)
        let reply = try gateway.put(path, request)
        gateway.kill()
        #expect(reply.status == 201)
        #expect(reply["order.status"] == status)

        for _ in 1...2 {
            let next = try RunningGateway(in: folder)
            defer { next.kill() }
            let retrieved = try next.get(path)
            #expect(retrieved.status == 200)
            #expect(retrieved.body == reply.body)
            let repeated = try next.put(path, request)
            #expect(repeated.status == 201)
            #expect(repeated.body == reply.body)
        }
    }

    @Test func `every reply of a series is there after a kill, declined ones too`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        let replies = try ["5656", "5757", "5858", "6161", "6363"].map { amount in
            let path = TransactionPath(order: "order-\(amount)")
            return (path, try gateway.put(path, try folder.mintRequest(amount)))
        }
        gateway.kill()

        let next = try RunningGateway(in: folder)
        defer { next.kill() }
        for (path, reply) in replies {
            #expect(try next.get(path).body == reply.body, "\(path)")
        }
    }

    @Test func `stopped in good order, the gateway leaves one file that holds everything`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        let reply = try gateway.put(TransactionPath(), try folder.mintRequest())
        #expect(try gateway.stop() == .exited(0))

        let next = try RunningGateway(in: folder)
        defer { next.kill() }
        #expect(try next.get(TransactionPath()).body == reply.body)
    }
}
