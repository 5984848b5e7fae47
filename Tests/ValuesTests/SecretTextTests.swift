import Testing
import Values

struct SecretTextTests {
    @Test(arguments: ["", "hunter2", "Zoë 漢 👩‍👩‍👧", "\u{0}\n"])
    func `a secret is kept exactly as it was found`(text: String) {
        let secret = SecretText(text)
        #expect(secret.revealed().utf8.elementsEqual(text.utf8))
        #expect(secret.utf8Count == text.utf8.count)
        #expect(secret.withUTF8 { Array($0) } == Array(text.utf8))
        #expect(Array(text.utf8).withUnsafeBytes { SecretText(utf8: $0) } == secret)
    }

    @Test func `texts that look alike and differ in bytes are not equal`() {
        #expect(SecretText("é") != SecretText("e\u{301}"))
        #expect(SecretText("a") != SecretText("b"))
        #expect(SecretText("a") != SecretText("aa"))
    }

    @Test func `nothing that prints a secret tells its text or its length`() {
        var shown: [String] = []
        for secret in [SecretText("hunter2"), SecretText("a longer secret")] {
            var text = "\(secret) \([secret]) " + String(reflecting: secret) + String(reflecting: (1, secret))
            dump(secret, to: &text)
            #expect(!text.contains("hunter2") && !text.contains("longer"))
            shown.append(text)
        }
        #expect(shown[0] == shown[1])
    }
}
