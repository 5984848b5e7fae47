import Testing

@testable import HTTP

struct OctetTests {
    private static let alphanumeric = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

    @Test(arguments: UInt8.min...UInt8.max)
    func `an octet is of exactly the classes that the grammar names`(byte: UInt8) {
        func isAmong(_ signs: String) -> Bool { (Self.alphanumeric + signs).utf8.contains(byte) }
        #expect(Octet.isToken(byte) == isAmong("!#$%&'*+-.^_`|~"))
        #expect(Octet.isRegisteredName(byte) == isAmong("-._~!$&'()*+,;=%"))
        #expect(Octet.isPathOrQuery(byte) == isAmong("-._~!$&'()*+,;=%:@/?"))
        #expect(Octet.isFieldValue(byte) == (byte == 9 || (32...126).contains(byte) || byte >= 128))
    }
}
