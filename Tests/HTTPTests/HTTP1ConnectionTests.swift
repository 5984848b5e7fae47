import HTTP
import HTTPTypes
import Testing

struct HTTP1ConnectionTests {
    private static let date = HTTPDate(unixSeconds: 784_111_777)
    private static let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    private static func connection(limits: HTTP1Limits = HTTP1Limits()) -> HTTP1Connection {
        HTTP1Connection(limits: limits) { status, _ in Response(status: status, body: Array("refused".utf8)) }
    }

    private static func path(_ step: HTTP1Connection.Step) -> String? {
        guard case .handle(let request) = step else { return nil }
        return request.head.path
    }

    @Test func `one request at a time is in flight and answers leave in order`() {
        var connection = Self.connection()
        connection.receive(
            Array("GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n".utf8).span)
        #expect(Self.path(connection.next(date: Self.date)) == "/1")
        #expect(connection.next(date: Self.date) == .wait)
        #expect(connection.phase == .answer)
        connection.answer(Response(status: .ok, body: Array("one".utf8)), date: Self.date)
        #expect(Self.path(connection.next(date: Self.date)) == "/2")
        connection.answer(Response(status: .ok, body: Array("two".utf8)), date: Self.date)
        #expect(connection.next(date: Self.date) == .wait)
        #expect(connection.phase == .idle)
        let output = String(decoding: connection.output, as: UTF8.self)
        #expect(output.contains("\r\n\r\noneHTTP/1.1 200 OK\r\n"))
        #expect(output.hasSuffix("\r\n\r\ntwo"))
    }

    @Test func `after an answer that closes, pipelined requests are not handled`() {
        var connection = Self.connection()
        connection.receive(Array("GET /1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n\(Self.get)".utf8).span)
        #expect(Self.path(connection.next(date: Self.date)) == "/1")
        connection.answer(Response(status: .ok), date: Self.date)
        #expect(connection.next(date: Self.date) == .close)
        #expect(connection.phase == .closing)
    }

    @Test func `a stream holds back the requests after it until it ends`() {
        struct Source: ResponseStream {
            func next() async -> [UInt8]? { nil }
            func cancel() {}
        }
        var connection = Self.connection()
        connection.receive(Array("\(Self.get)\(Self.get)".utf8).span)
        #expect(Self.path(connection.next(date: Self.date)) == "/")
        var response = Response(status: .ok)
        response.stream = Source()
        connection.answer(response, date: Self.date)
        #expect(connection.isStreaming)
        #expect(connection.next(date: Self.date) == .wait)
        connection.send([])
        connection.send(Array("twelve bytes".utf8))
        connection.endStream()
        #expect(!connection.isStreaming)
        let output = String(decoding: connection.output, as: UTF8.self)
        // An empty piece would end the stream, so it is left out.
        #expect(output.hasSuffix("\r\nTransfer-Encoding: chunked\r\n\r\nc\r\ntwelve bytes\r\n0\r\n\r\n"))
        #expect(Self.path(connection.next(date: Self.date)) == "/")
    }

    @Test func `a handler can close the connection`() {
        var connection = Self.connection()
        connection.receive(Array(Self.get.utf8).span)
        _ = connection.next(date: Self.date)
        var response = Response(status: .ok)
        response.head.headerFields[.connection] = "Close"
        connection.answer(response, date: Self.date)
        #expect(connection.next(date: Self.date) == .close)
        #expect(String(decoding: connection.output, as: UTF8.self).contains("\r\nConnection: close\r\n"))
    }

    @Test func `a request that is cut gets no byte, and those behind it are not handled`() {
        var connection = Self.connection()
        connection.receive(Array("\(Self.get)\(Self.get)\(Self.get)".utf8).span)
        #expect(Self.path(connection.next(date: Self.date)) == "/")
        connection.answer(Response(status: .ok, body: Array("first".utf8)), date: Self.date)
        let answered = connection.output
        #expect(Self.path(connection.next(date: Self.date)) == "/")
        connection.cut()
        #expect(connection.phase == .closing)
        #expect(!connection.wantsBytes)
        #expect(connection.next(date: Self.date) == .close)
        #expect(connection.next(date: Self.date) == .close)
        #expect(connection.output == answered)
    }

    @Test func `a refusal after requests is answered after them, and once`() {
        var connection = Self.connection()
        connection.receive(Array("\(Self.get)GET / HTTP/3.0\r\n\r\n\(Self.get)".utf8).span)
        #expect(Self.path(connection.next(date: Self.date)) == "/")
        connection.answer(Response(status: .ok), date: Self.date)
        #expect(connection.next(date: Self.date) == .close)
        #expect(connection.next(date: Self.date) == .close)
        let output = String(decoding: connection.output, as: UTF8.self)
        #expect(output.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(output.contains("HTTP/1.1 505 HTTP Version Not Supported\r\n"))
        #expect(output.components(of: "HTTP/1.1 ") == 2)
        #expect(output.hasSuffix("\r\n\r\nrefused"))
    }

    @Test func `a refusal of HEAD has no content`() {
        var connection = Self.connection()
        connection.receive(Array("HEAD / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n".utf8).span)
        #expect(connection.next(date: Self.date) == .close)
        #expect(
            String(decoding: connection.output, as: UTF8.self).hasSuffix(
                "Content-Length: 7\r\nConnection: close\r\n\r\n"))
    }

    @Test func `a client that waits for it is told to continue`() {
        var connection = Self.connection()
        connection.receive(
            Array("PUT / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n".utf8).span)
        #expect(connection.next(date: Self.date) == .wait)
        #expect(connection.output == Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
        connection.receive(Array("ok".utf8).span)
        guard case .handle(let request) = connection.next(date: Self.date) else {
            Issue.record("the content is complete")
            return
        }
        #expect(request.body == Array("ok".utf8))
    }

    @Test(arguments: [
        // Content that is too large anyway, HTTP/1.0, content that is already here, no content
        "PUT / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 9999999\r\n\r\n",
        "PUT / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n",
        "PUT / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\no",
        "PUT / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 0\r\n\r\n",
    ])
    func `a client is not told to continue for nothing`(bytes: String) {
        var connection = Self.connection()
        connection.receive(Array(bytes.utf8).span)
        _ = connection.next(date: Self.date)
        #expect(!String(decoding: connection.output, as: UTF8.self).contains("100 Continue"))
    }

    @Test func `bytes behind a request in flight are bounded`() {
        var limits = HTTP1Limits()
        limits.pipelinedBytesMax = 100
        var connection = Self.connection(limits: limits)
        connection.receive(Array(Self.get.utf8).span)
        _ = connection.next(date: Self.date)
        #expect(connection.wantsBytes)
        connection.receive([UInt8](repeating: 0x41, count: 100).span)
        #expect(!connection.wantsBytes)
    }

    @Test func `requests wait while the client does not take its responses`() {
        var limits = HTTP1Limits()
        limits.outputBytesMax = 1000
        limits.pipelinedBytesMax = 10
        var connection = Self.connection(limits: limits)
        connection.receive(Array((Self.get + Self.get).utf8).span)
        _ = connection.next(date: Self.date)
        connection.answer(Response(status: .ok, body: [UInt8](repeating: 0, count: 1000)), date: Self.date)
        #expect(connection.next(date: Self.date) == .wait)
        #expect(!connection.wantsBytes)
        connection.consumeOutput(connection.outputBytes)
        #expect(Self.path(connection.next(date: Self.date)) == "/")
    }

    @Test func `complete requests are answered although the client sends no more`() {
        var connection = Self.connection()
        connection.receive(Array((Self.get + Self.get + "GET").utf8).span)
        connection.receiveEnd()
        for _ in 0..<2 {
            #expect(Self.path(connection.next(date: Self.date)) == "/")
            connection.answer(Response(status: .ok), date: Self.date)
        }
        #expect(connection.next(date: Self.date) == .close)
        #expect(String(decoding: connection.output, as: UTF8.self).components(of: "HTTP/1.1 ") == 2)
    }

    @Test(arguments: [
        ("", false), ("GET", true), ("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n1", true),
    ])
    func `a client that takes too long is answered 408 if it had begun a request`(bytes: String, isTold: Bool) {
        var connection = Self.connection()
        connection.receive(Array(bytes.utf8).span)
        _ = connection.next(date: Self.date)
        connection.timeOut(date: Self.date)
        #expect(connection.next(date: Self.date) == .close)
        let output = String(decoding: connection.output, as: UTF8.self)
        #expect(isTold ? output.hasPrefix("HTTP/1.1 408 Request Timeout\r\n") : output.isEmpty)
    }

    @Test func `stopping lets a request that has begun finish, and closes`() {
        var connection = Self.connection()
        connection.receive(Array(Self.get.utf8.prefix(10)).span)
        _ = connection.next(date: Self.date)
        connection.stop()
        #expect(connection.next(date: Self.date) == .wait)
        connection.receive(Array(Self.get.utf8.dropFirst(10)).span)
        #expect(Self.path(connection.next(date: Self.date)) == "/")
        connection.answer(Response(status: .ok), date: Self.date)
        #expect(connection.next(date: Self.date) == .close)
        #expect(String(decoding: connection.output, as: UTF8.self).contains("\r\nConnection: close\r\n"))
    }

    @Test func `stopping closes an idle connection`() {
        var connection = Self.connection()
        connection.stop()
        #expect(connection.next(date: Self.date) == .close)
        #expect(connection.output.isEmpty)
    }

    @Test func `an answer that can't be written becomes a 500`() {
        var connection = Self.connection()
        connection.receive(Array(Self.get.utf8).span)
        _ = connection.next(date: Self.date)
        var response = Response(status: .ok)
        response.head.headerFields.append(HTTPField(name: .server, lenientValue: [0x01]))
        connection.answer(response, date: Self.date)
        #expect(String(decoding: connection.output, as: UTF8.self).hasPrefix("HTTP/1.1 500 Internal Server Error\r\n"))
        #expect(connection.next(date: Self.date) == .wait)
    }

    @Test func `HTTP 1.0 is told that the connection stays`() {
        var connection = Self.connection()
        connection.receive(Array("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n".utf8).span)
        _ = connection.next(date: Self.date)
        connection.answer(Response(status: .ok), date: Self.date)
        #expect(connection.next(date: Self.date) == .wait)
        #expect(String(decoding: connection.output, as: UTF8.self).contains("\r\nConnection: keep-alive\r\n"))
    }

    @Test func `a connection over the limit learns when to retry`() {
        var connection = Self.connection()
        connection.refuseForOverload(retryAfterSeconds: 3, date: Self.date)
        #expect(connection.next(date: Self.date) == .close)
        let output = String(decoding: connection.output, as: UTF8.self)
        #expect(output.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"))
        #expect(output.contains("\r\nRetry-After: 3\r\n"))
    }
}
