import HTTP
import HTTPTypes
import Testing

/// URLs to which requests are sent.
struct HTTPURLTests {
    @Test(arguments: [
        ("https://shop.example/events?x=1", "shop.example", UInt16(443), "/events?x=1"),
        ("http://127.0.0.1:8099", "127.0.0.1", 8099, "/"), ("HTTPS://[::1]:8443/x", "::1", 8443, "/x"),
        ("http://shop?x", "shop", 80, "/?x"),
    ])
    func `a URL is read`(text: String, host: String, port: UInt16, target: String) throws {
        let url = try #require(HTTPURL(text))
        #expect((url.host, url.port, url.target) == (host, port, target))
        #expect(url.isEncrypted == text.lowercased().hasPrefix("https"))
    }

    @Test(arguments: [
        "", "ftp://x/", "http://", "http:///x", "http://user:pw@host/", "http://host:0/", "http://host:65536/",
        "http://host:x/", "http://ho st/", "http://host/#a", "//host", "http://[::1", "http://[]/", "http://h\u{E9}/",
    ])
    func `text that is no such URL is refused`(text: String) { #expect(HTTPURL(text) == nil) }

    @Test(arguments: [
        ("https://shop.example/events?x=1", "https", "shop.example", "/events?x=1"),
        ("https://shop.example:80", "https", "shop.example:80", "/"), ("http://[::1]:80/x", "http", "[::1]", "/x"),
        ("http://[::1]:8443/", "http", "[::1]:8443", "/"),
    ])
    func `a request's head names the port if it is not the scheme's default`(
        text: String, scheme: String, authority: String, path: String
    ) throws {
        let head = try #require(HTTPURL(text)).head(.post, [.accept: "*/*"])
        #expect((head.scheme, head.authority, head.path) == (scheme, authority, path))
        #expect(head.headerFields == [.accept: "*/*"])
    }

    @Test func `a URL prints without its path, which may be a secret`() throws {
        #expect("\(try #require(HTTPURL("https://shop.example/secret?x=1")))" == "https://shop.example:443")
    }
}
