import Payments
import Testing

struct AccountNumberMaskTests {
    private static let number = "4508750015741019"

    @Test(arguments: [
        ("4508750015741019", "xxxxxxxxxxxx1019"), ("4508-7500-1574-1019", "xxxx-xxxx-xxxx-1019"),
        ("4508 7500 1574 1019", "xxxx xxxx xxxx 1019"), ("a4508750015741019b", "axxxxxxxxxxxx1019b"),
        ("345678901234564", "xxxxxxxxxxx4564"), ("5000000000000000005", "xxxxxxxxxxxxxxx0005"),
        ("12 4508750015741019 36", "12 xxxxxxxxxxxx1019 36"), ("1-4508 7500-1574 1019-3", "1-xxxx xxxx-xxxx 1019-3"),
        ("4508750015741019 345678901234564", "xxxxxxxxxxxx1019 xxxxxxxxxxx4564"),
        ("4 5 0 8 7 5 0 0 1 5 7 4 1 0 1 9", "x x x x x x x x x x x x 1 0 1 9"), ("0000000000000", "xxxxxxxxx0000"),
        ("é4508750015741019 -", "éxxxxxxxxxxxx1019 -"),
    ])
    func `an account number shows its last four digits, whatever stands around it`(text: String, masked: String) {
        #expect(text.maskingAccountNumbers() == masked)
    }

    @Test(arguments: [
        "", "4508750015741018", "450875001574", "2026-11-21", "45087500157410190000", "4508--7500-1574-1019", "1 ", "-",
    ])
    func `what is no account number stays`(text: String) {
        #expect(text.maskingAccountNumbers() == text)
    }

    /// The cut falls before, into and behind the number.
    @Test(arguments: 1...45)
    func `what is cut off hides what it belonged to`(count: Int) {
        for number in [Self.number, "4508 7500-1574 1019", "4 5 0 8 7 5 0 0 1 5 7 4 1 0 1 9"] {
            let text = "order " + number + " of today"
            let whole = text.maskingAccountNumbers()
            let expected = count < text.count ? whole.prefix(count - 1) + "…" : whole[...]
            #expect(text.maskingAccountNumbers(cutTo: count) == expected)
        }
    }

    @Test func `a text of groups without end is examined as far as it is shown`() {
        let text = String(repeating: "1-", count: 1_000_000)
        #expect(text.maskingAccountNumbers(cutTo: 40) == text.maskingAccountNumbers(cutTo: 41).prefix(39) + "…")
        #expect(String(repeating: "x", count: 41).maskingAccountNumbers(cutTo: 40).count == 40)
        #expect(String(repeating: "x", count: 40).maskingAccountNumbers(cutTo: 40).hasSuffix("x"))
    }
}
