import OpenSSL
import Payments
import TestSupport
import Testing
import Values

struct APIPasswordTests {
    /// 0123456789ABCDEF.
    private static let salt = "30313233343536373839414243444546"

    private static func matches(
        _ password: APIPassword, _ text: String, _ remembered: RememberedPasswords = RememberedPasswords()
    ) -> Bool? {
        password.matches(PresentedPassword(SecretText(text)), remembered)
    }

    @Test func `a digest only matches its password, also after it was stored`() throws {
        let password = APIPassword(digesting: SecretText("0123456789abcdef0123456789abcdef"))
        let kept = try #require(password.kept.flatMap { APIPassword(kept: $0) })
        for candidate in [password, kept] {
            #expect(Self.matches(candidate, "0123456789abcdef0123456789abcdef") == true)
            #expect(Self.matches(candidate, "0123456789abcdef0123456789abcdeF") == false)
            #expect(Self.matches(candidate, "") == false)
        }
    }

    @Test func `the kept form of a digest is salted SHA-256`() throws {
        // printf 0123456789ABCDEFpassword | sha256sum
        let kept = "sha256:\(Self.salt):4fc69ec82164b06df979c3ac388fc5117ea6567f1a391a459373bd23e5219c28"
        let password = try #require(APIPassword(kept: kept))
        #expect(password.kept == kept)
        #expect(Self.matches(password, "password") == true)
        #expect(
            APIPassword(digesting: SecretText("password")).kept != APIPassword(digesting: SecretText("password")).kept)
    }

    @Test func `the kept form of a derivation is scrypt with its cost`() throws {
        // python3 -c 'import hashlib; print(hashlib.scrypt(b"password",salt=b"0123456789ABCDEF",n=16,r=2,p=3,dklen=32).hex())'
        let kept = "scrypt:16:2:3:\(Self.salt):e445b053fbbf46d1476400dda543cc5cce2ddc749ee0a01ae09a6e9e2aa9f8bd"
        let password = try #require(APIPassword(kept: kept))
        #expect(password.kept == kept)
        let derivation = try #require(password.derivation)
        #expect(try derivation.matches(SecretText("password")))
        #expect(try !derivation.matches(SecretText("Password")))
        #expect(try !derivation.matches(SecretText("")))
    }

    @Test func `a chosen password is derived from at the documented cost, under a salt of its own`() throws {
        let password = try APIPassword(deriving: SecretText("correct horse"))
        #expect(password.kept?.hasPrefix("scrypt:16384:8:5:") == true)
        #expect(password.kept != (try APIPassword(deriving: SecretText("correct horse"))).kept)
        let kept = try #require(password.kept.flatMap { APIPassword(kept: $0) })
        #expect(try #require(kept.derivation).matches(SecretText("correct horse")))
    }

    @Test func `what a derivation's password is can't be told before it was found right, and is then told at once`()
        throws
    {
        let cost = try #require(Scrypt(cost: 2, blockSize: 1, parallelization: 1))
        let derivation = try PasswordDerivation(deriving: SecretText("word"), cost: cost)
        let other = try PasswordDerivation(deriving: SecretText("word"), cost: cost)
        let remembered = RememberedPasswords()
        #expect(remembered.unknown(among: [derivation, other]) == [derivation, other])
        #expect(remembered.isRight(PresentedPassword(SecretText("word")), of: derivation) == nil)

        remembered.remember(PresentedPassword(SecretText("word")), of: derivation)
        #expect(remembered.unknown(among: [derivation, other]) == [other])
        #expect(remembered.isRight(PresentedPassword(SecretText("word")), of: derivation) == true)
        #expect(remembered.isRight(PresentedPassword(SecretText("Word")), of: derivation) == false)
        #expect(remembered.isRight(PresentedPassword(SecretText("word")), of: other) == nil)
    }

    @Test func `a password that is stored in clear elsewhere is judged at once and kept nowhere`() {
        let password = APIPassword(remembering: SecretText("shop-word"))
        #expect(Self.matches(password, "shop-word") == true)
        #expect(Self.matches(password, "shop-worD") == false)
        #expect(password.kept == nil)
        #expect(password.derivation == nil)
    }

    @Test(arguments: [
        "", "password", "sha256:", "sha256:00:00", "md5:30313233343536373839414243444546:00",
        "sha256:3031323334353637383941424344454:" + String(repeating: "0", count: 64),
        "sha256:30313233343536373839414243444546:" + String(repeating: "0", count: 62),
        "sha256:30313233343536373839414243444546:" + String(repeating: "0", count: 64) + ":",
        "sha256:30313233:" + String(repeating: "0", count: 64),
        "sha256:" + String(repeating: "00", count: 65) + ":" + String(repeating: "0", count: 64),
        "sha256:16:2:3:30313233343536373839414243444546:" + String(repeating: "0", count: 64),
        "scrypt:30313233343536373839414243444546:" + String(repeating: "0", count: 64),
        "scrypt:15:2:3:30313233343536373839414243444546:" + String(repeating: "0", count: 64),
        "scrypt:1048576:8:1:30313233343536373839414243444546:" + String(repeating: "0", count: 64),
        "scrypt:16:-2:3:30313233343536373839414243444546:" + String(repeating: "0", count: 64),
        "scrypt:16:2:30313233343536373839414243444546:" + String(repeating: "0", count: 64),
    ])
    func `a malformed kept form is no password`(text: String) {
        #expect(APIPassword(kept: text) == nil)
    }

    @Test func `a password prints nothing of itself`() throws {
        let digest = APIPassword(digesting: SecretText("0123456789abcdef"))
        let derived = try #require(APIPassword(kept: "scrypt:2:1:1:\(Self.salt):" + String(repeating: "ab", count: 32)))
        for password in [digest, derived] {
            var dumped = ""
            dump(password, to: &dumped)
            dump(password.derivation, to: &dumped)
            for text in ["\(password)", String(reflecting: password), dumped] {
                #expect(!text.contains(try #require(password.kept).suffix(64)))
            }
        }
    }
}

struct MerchantDirectoryTests {
    @Test func `a directory finds merchants by their identifiers`() throws {
        let merchant = Merchant(id: try MerchantID("M"), passwords: [], applePay: nil)
        let directory = MerchantDirectory([merchant])
        #expect(directory[try MerchantID("M")]?.id == merchant.id)
        #expect(directory[try MerchantID("m")] == nil)
    }

    @Test func `all merchants are replaced at once, and who holds them keeps them`() throws {
        let directory = MerchantDirectory([Merchant(id: try MerchantID("A"), passwords: [], applePay: nil)])
        let before = directory.all
        directory.replace([Merchant(id: try MerchantID("B"), passwords: [], applePay: nil, isEnabled: false)])
        #expect(directory[try MerchantID("A")] == nil)
        #expect(directory[try MerchantID("B")]?.isEnabled == false)
        #expect(before[try MerchantID("A")]?.isEnabled == true)
    }

    @Test func `a directory gathers the derivations of those who are let in`() throws {
        let derived = try #require(
            APIPassword(kept: "scrypt:2:1:1:30313233343536373839414243444546:" + String(repeating: "ab", count: 32)))
        func merchant(_ id: String, _ passwords: [APIPassword], isEnabled: Bool = true) throws -> Merchant {
            Merchant(id: try MerchantID(id), passwords: passwords, applePay: nil, isEnabled: isEnabled)
        }
        let random = APIPassword(digesting: SecretText("word"))
        let directory = MerchantDirectory([
            try merchant("A", [derived, random]), try merchant("B", [random]),
            try merchant("C", [derived], isEnabled: false),
        ])
        #expect(directory.all.derivations == [[try #require(derived.derivation)]])
    }
}
