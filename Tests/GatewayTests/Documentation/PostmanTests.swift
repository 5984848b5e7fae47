import JSON
import Testing
import Values

/// `Deploy/postman`, run for real against a fresh sandbox.
struct PostmanTests {
    @Test func `every request of the collection is answered as its tests have it`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        let collection = try PostmanCollection()
        #expect(collection.requests.count >= 90)
        #expect(collection.requests.first?.url == "{{baseUrl}}/_tollgate/sandbox")
        #expect(collection.variables["baseUrl"] == "http://127.0.0.1:8080", "where Deploy/run listens")

        var variables = collection.variables
        variables["baseUrl"] = "http://127.0.0.1:\(gateway.port)"
        var script = PostmanScript(variables: variables)
        for request in collection.requests {
            for line in request.linesBefore { try script.run(before: line) }
            let reply = try gateway.send(request, script)
            #expect(!request.linesAfter.isEmpty, "\(request.name) is not tested")
            for line in request.linesAfter {
                let fault = try script.run(after: line, reply)
                #expect(fault == nil, "\(request.name): \(reply.text)")
            }
        }
    }

    @Test func `the collection holds no password`() throws {
        let collection = try PostmanCollection()
        for name in ["password", "merchantId", "currency", "paymentToken"] { #expect(collection.variables[name] == "") }
    }

    @Test(arguments: [
        #"pm.test("x", () => true);"#, #"console.log("x");"#, #"pm.environment.set("a", pm.response.json().a);"#, "",
        #"pm.test("x", () => pm.response.to.have.status(201)); pm.test("y", () => true);"#,
    ])
    func `a line of script that is not known is an error`(line: String) throws {
        var script = PostmanScript(variables: [:])
        let reply = try HTTPReply(head: "HTTP/1.1 201 Created\r\n\r\n", body: Array("{}".utf8))
        #expect(throws: PostmanScript.Failure.unknownLine(line)) { try script.run(after: line, reply) }
        #expect(throws: PostmanScript.Failure.unknownLine(line)) { try script.run(before: line) }
    }

    @Test func `a line that looks for a text, or into a token, finds it`() throws {
        var script = PostmanScript(variables: [:])
        let body = #"{"paymentToken":"{\"header\":{\"transactionId\":\"ab\"}}"}"#
        let reply = try HTTPReply(head: "HTTP/1.1 200 OK\r\n\r\n", body: Array(body.utf8))
        let includes = { (text: String) in #"pm.test("t", () => pm.expect(pm.response.text()).to.include("\#(text)"));"#
        }
        #expect(try script.run(after: includes("paymentToken"), reply) == nil)
        #expect(try script.run(after: includes("<a>"), reply) != nil)
        let line =
            #"pm.collectionVariables.set("a", JSON.parse(pm.response.json().paymentToken).header.transactionId);"#
        #expect(try script.run(after: line, reply) == nil)
        #expect(script.variables["a"] == "ab")
    }

    @Test func `a line that finds something else says so`() throws {
        var script = PostmanScript(variables: [:])
        let reply = try HTTPReply(head: "HTTP/1.1 400 Bad\r\n\r\n", body: Array(#"{"a":[{"b":1.50}]}"#.utf8))
        #expect(try script.run(after: #"pm.test("s", () => pm.response.to.have.status(201));"#, reply) != nil)
        let equals = { (value: String) in
            #"pm.test("b", () => pm.expect(pm.response.json().a[0].b).to.eql(\#(value)));"#
        }
        #expect(try script.run(after: equals("1.5"), reply) == nil)
        #expect(try script.run(after: equals("2"), reply) != nil)
        #expect(try script.run(after: equals("\"1.5\""), reply) != nil)
        #expect(throws: PostmanScript.Failure.absent("c")) {
            try script.run(after: #"pm.test("c", () => pm.expect(pm.response.json().c).to.eql(1));"#, reply)
        }
        #expect(throws: PostmanScript.Failure.unknownVariable("x")) { try script.replaced("{{x}}") }
    }
}

extension RunningGateway {
    /// Sends a request of a collection.
    fileprivate func send(_ request: PostmanCollection.Request, _ script: PostmanScript) throws -> HTTPReply {
        let url = try script.replaced(request.url)
        let base = "http://127.0.0.1:\(port)"
        guard url.hasPrefix(base) else { throw PostmanCollection.Failure.malformed(url) }
        var fields = ""
        if case .basic(let username, let password) = request.authentication {
            let credentials = try script.replaced("\(username):\(password)")
            fields += "Authorization: Basic \(Base64.encoded(Array(credentials.utf8)))\r\n"
        }
        for field in request.fields { fields += "\(field.name): \(try script.replaced(field.value))\r\n" }
        let body = try request.body.map { (text) in Array(try script.replaced(text).utf8) }
        return try send(request.method, String(url.dropFirst(base.count)), body, fields: fields)
    }
}
