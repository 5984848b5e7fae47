import Access
import Testing

struct WebOriginTests {
    @Test(arguments: [
        "https://shop.example", "http://shop.example:8080", "http://127.0.0.1:3000", "https://[::1]:8443",
        "https://xn--bcher-kva.example",
    ])
    func `an origin is a scheme, a host and a port that isn't the scheme's own`(text: String) {
        #expect(WebOrigin(text)?.text == text)
    }

    @Test(arguments: [
        "", "*", "null", "shop.example", "https://", "https://*.shop.example", "https://shop.example/",
        "https://shop.example?", "https://Shop.example", "HTTPS://shop.example", "ftp://shop.example",
        "https://user@shop.example", "https://shop.example:", "https://shop.example:443", "http://shop.example:80",
        "https://shop.example:0", "https://shop.example:08080", "https://shop.example:65536", "https://shop example",
        "https://b\u{fc}cher.example", "https://[::1", "https://shop..example", "https://-shop.example#",
    ])
    func `anything else is none`(text: String) {
        #expect(WebOrigin(text) == nil)
    }

    @Test func `the host is without the port and without brackets of its own`() {
        #expect(WebOrigin("https://shop.example:8443")?.host == "shop.example")
        #expect(WebOrigin("http://[::1]:8443")?.host == "[::1]")
    }
}
