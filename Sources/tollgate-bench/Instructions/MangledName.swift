/// Parses the start of a function's mangled Swift name to find the module of the function.
///
/// - Source: Swift's `docs/ABI/Mangling.rst`.
struct MangledName {
    /// The declaring module; for an extension, the extending module if it is one of `modules`. Nil for functions that are
    /// mangled with a type without a module, such as thunks, and for symbols that are not mangled names of Swift 5.
    static func module(of symbol: String, extendedBy modules: Set<String>) -> String? {
        guard symbol.hasPrefix("$s") else { return nil }
        var name = MangledName(symbol.utf8.dropFirst(2))
        guard let declaring = name.context() else { return nil }
        while let identifier = name.identifier() {
            // `10HTTPServerE…` is an extension, `10HTTPServerV…` a structure.
            if modules.contains(identifier), !name.isAtKind { return identifier }
            // A private name is followed by a discriminator that makes it unique: `33_0123…LL`.
            if name.isAtDigit { _ = name.identifier() }
            name.skip("LL")
            guard name.isAtKind else { break }
            name.rest.removeFirst()
        }
        return declaring
    }

    private var rest: Substring.UTF8View
    /// Parts of identifiers, which later ones refer to by a letter.
    private var words: [String] = []

    private init(_ rest: Substring.UTF8View) { self.rest = rest }

    private var isAtDigit: Bool { rest.first.map { $0 >= 0x30 && $0 <= 0x39 } ?? false }

    /// Whether a class, an enumeration, a protocol, a structure or an alias was named.
    private var isAtKind: Bool { rest.first.map { "COPVa".utf8.contains($0) } ?? false }

    private mutating func skip(_ text: String) {
        if rest.starts(with: text.utf8) { rest = rest.dropFirst(text.utf8.count) }
    }

    /// The module; `Swift` with a type that has a letter of its own.
    private mutating func context() -> String? {
        switch rest.first {
        case UInt8(ascii: "s"):
            rest.removeFirst()
            return "Swift"
        case UInt8(ascii: "S"):
            rest.removeFirst()
            switch rest.popFirst() {
            case UInt8(ascii: "o"): return "__C"
            case UInt8(ascii: "c"):
                _ = rest.popFirst()
                return "_Concurrency"
            default: return "Swift"
            }
        default: return identifier()
        }
    }

    /// The next identifier: `4HTTP`, or after `0` letters for known words and the rest. The last of these is a capital.
    private mutating func identifier() -> String? {
        guard isAtDigit else { return nil }
        var identifier = ""
        var hasWords = false
        if rest.first == UInt8(ascii: "0") {
            rest.removeFirst()
            hasWords = true
        }
        repeat {
            while hasWords, let letter = rest.first, !isAtDigit {
                rest.removeFirst()
                hasWords = letter >= UInt8(ascii: "a")
                let index = Int(letter) - Int(UInt8(ascii: hasWords ? "a" : "A"))
                guard words.indices.contains(index) else { return nil }
                identifier += words[index]
            }
            if rest.first == UInt8(ascii: "0") {
                rest.removeFirst()
                break
            }
            var count = 0
            while isAtDigit, count < 10_000, let digit = rest.popFirst() { count = count * 10 + Int(digit) - 0x30 }
            guard count > 0, count <= rest.count else { return nil }
            let part = String(decoding: rest.prefix(count), as: UTF8.self)
            rest = rest.dropFirst(count)
            noteWords(of: part)
            identifier += part
        } while hasWords
        return identifier
    }

    /// Words begin at letters, and end before an underscore and before a capital that follows none.
    private mutating func noteWords(of part: String) {
        var word = ""
        for character in part.utf8.map({ Character(UnicodeScalar($0)) }) {
            if character == "_" || character.isUppercase && word.last?.isUppercase == false {
                noteWord(word)
                word = ""
            }
            if character != "_", !word.isEmpty || !character.isNumber { word.append(character) }
        }
        noteWord(word)
    }

    private mutating func noteWord(_ word: String) {
        if word.utf8.count > 1, words.count < 26 { words.append(word) }
    }
}
