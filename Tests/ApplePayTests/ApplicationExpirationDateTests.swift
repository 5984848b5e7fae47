import ApplePay
import Testing

struct ApplicationExpirationDateTests {
    @Test(arguments: ["240930", "000101", "991231", "240229", "391231"])
    func `an expiry date is six digits that are a day`(text: String) throws {
        #expect(try #require(ApplicationExpirationDate(yymmdd: Array(text.utf8))).yymmdd == text)
    }

    @Test(arguments: [
        "", "24093", "2409300", "240931", "230229", "240001", "241301", "240900", "24o930", "-40930", "２40930",
    ])
    func `other text is no expiry date`(text: String) {
        #expect(ApplicationExpirationDate(yymmdd: Array(text.utf8)) == nil)
    }
}
