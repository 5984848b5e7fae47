import HTTPClient
import HTTPTypes
import Testing

struct OriginTests {
    private func origin(_ scheme: String?, _ authority: String?) -> Origin? {
        Origin(HTTPRequest(method: .get, scheme: scheme, authority: authority, path: "/"))
    }

    @Test(arguments: [
        ("http", "a", "http://a:80"), ("https", "a", "https://a:443"), ("http", "a:81", "http://a:81"),
        ("http", "[::1]:81", "http://[::1]:81"), ("https", "[::1]", "https://[::1]:443"), ("http", "a:", "http://a:80"),
    ])
    func `an origin has the port that is usual unless it names one`(scheme: String, authority: String, text: String) {
        #expect(origin(scheme, authority)?.description == text)
    }

    @Test func `an address loses its brackets`() { #expect(origin("http", "[::1]:81")?.host == "::1") }

    @Test(arguments: [nil, "", "a:b", "a:65536", "a@b", "[::1", "[::1]81", "a/b"])
    func `an authority that is not host and port has no origin`(authority: String?) {
        #expect(origin("http", authority) == nil)
    }

    @Test(arguments: [nil, "", "ftp", "HTTP"])
    func `other schemes have no origin`(scheme: String?) { #expect(origin(scheme, "a") == nil) }
}
