/// Phrases that comments, messages and pages once had, and that nobody in this field writes.
enum Dialect {
    /// A phrase in small letters, and what to say instead.
    struct Phrase {
        let text: String
        let instead: String
    }

    /// A place where a text has a phrase.
    struct Hit: CustomStringConvertible {
        /// From 1; where the phrase ends.
        let line: Int
        let phrase: Phrase

        var description: String { "\(line): \"\(phrase.text)\": say \(phrase.instead)" }
    }

    static let phrases = [
        // Results.
        Phrase("what became of", "\"the outcome of\""),
        Phrase("comes to nothing", "\"fails\""),
        Phrase("come to nothing", "\"fail\""),
        Phrase("came to nothing", "\"failed\""),
        Phrase("; nothing if", "\"; nil if\""),
        Phrase("or nothing if", "\"or nil if\""),
        Phrase("nothing unless", "\"nil unless\""),
        Phrase("for all others there is nothing", "\"everyone else gets 404\""),
        Phrase("makes nothing of", "\"ignores\""),
        Phrase("to be had", "\"available\""),
        Phrase("that is none", "what it is instead"),
        Phrase("that are none", "what they are instead"),

        // Requests and who makes them.
        Phrase("whoever", "\"the client\", \"the caller\" or \"anyone who\""),
        Phrase("who asks", "\"the client\" or \"the caller\""),
        Phrase("who waits", "\"the waiter\""),
        Phrase("asked again", "\"retried\""),
        Phrase("asks again", "\"retries\""),
        Phrase("ask again", "\"retry\""),
        Phrase("come again", "\"retry\""),
        Phrase("comes again", "\"retries\""),
        Phrase("growing pauses", "\"exponential backoff\""),
        Phrase("sent away", "\"refused\""),
        Phrase("under way", "\"in flight\""),
        Phrase("is begun", "\"begins\""),
        Phrase("are begun", "\"begin\""),
        Phrase("anew", "\"again\", or \"restart\""),
        Phrase("ever after", "\"from then on\""),
        Phrase("lately", "\"recently\""),
        Phrase("as ever", "\"as usual\""),
        Phrase("at leisure", "\"later\""),

        // Reports.
        Phrase("told of", "\"reported\" or \"notified of\""),
        Phrase("tells of", "\"reports\""),
        Phrase("told so", "the answer itself"),
        Phrase("is told by", "\"is reported by\" or \"follows from\""),
        Phrase("are told by", "\"are reported by\" or \"follow from\""),
        Phrase("told apart", "\"distinguished\""),
        Phrase("tells apart", "\"distinguishes\""),
        Phrase("tell apart", "\"distinguish\""),
        Phrase("takes note of", "\"records\""),
        Phrase("took note of", "\"recorded\""),
        Phrase("refused by name", "\"the error names\""),
        Phrase("what is said of", "\"the result for\""),
        Phrase("what is known of", "\"what is known about\""),
        Phrase("is looked at", "\"is checked\" or \"is read\""),
        Phrase("are looked at", "\"are checked\" or \"are read\""),
        Phrase("not looked at", "\"ignored\""),

        // State.
        Phrase("for good", "\"permanently\""),
        Phrase("gives back", "\"releases\" or \"refunds\""),
        Phrase("give back", "\"release\" or \"refund\""),
        Phrase("given back", "\"released\" or \"refunded\""),
        Phrase("as it stands", "\"unchanged\", or \"the present state\""),
        Phrase("as they stand", "\"unchanged\", or \"the present state\""),
        Phrase("what is kept", "\"the stored data\""),
        Phrase("had by", "\"with\" or \"by\""),
        Phrase("lets go of", "\"releases\" or \"removes\""),
        Phrase("let go of", "\"release\" or \"remove\""),
        Phrase("knows it again", "\"recognizes it\""),
        Phrase("known again", "\"recognized\""),
        Phrase("stands for itself", "\"needs no escape\""),
        Phrase("stand for themselves", "\"need no escape\""),
        Phrase("in its stead", "\"instead\""),
        Phrase("in their stead", "\"instead\""),

        Phrase("owner alone", "\"only its owner\""),
        Phrase("owner's alone", "\"only its owner\""),
        Phrase("machine alone", "\"only this machine\""),
        Phrase("stands in clear", "\"is stored in clear\""),
        Phrase("measured in turns", "\"measured alternately\""),

        // Terms of the field.
        Phrase("taken up", "\"reloaded\""),
        Phrase("takes up the", "\"reloads the\""),
        Phrase("set aside", "\"a dead letter\""),
        Phrase("sets aside", "\"makes a dead letter\""),
        Phrase("setting aside", "\"making a dead letter\""),
        Phrase("held against", "\"compared with\" or \"checked against\""),
        Phrase("goes by", "\"depends on\" or \"follows\""),
        Phrase("of ours", "\"own\", or nothing"),
        Phrase("for want of", "\"without\""),
        Phrase("a hand on", "\"control over\""),
    ]

    /// Where a text has phrases, whatever the case of their letters. A phrase may go over the end of a line, and of a comment's
    /// line; it ends at any other sign.
    static func hits(in text: String) -> [Hit] {
        let words = Words(text)
        return words.hashes.indices.flatMap { index in
            (phrasesByFirstWord[words.hashes[index]] ?? []).compactMap { phrase, hashes in
                guard words.hashes[index...].starts(with: hashes) else { return nil }
                return Hit(line: words.lines[index + hashes.count - 1], phrase: phrase)
            }
        }
    }

    private static let phrasesByFirstWord = Dictionary(
        grouping: phrases.map { (phrase: $0, hashes: Words($0.text).hashes) }, by: { $0.hashes[0] })
}

extension Dialect.Phrase {
    fileprivate init(_ text: String, _ instead: String) { self.init(text: text, instead: instead) }
}

/// The words and signs of a text, as hashes, which cost far less than strings.
private struct Words {
    private(set) var hashes: [UInt64] = []
    /// The line of each, from 1.
    private(set) var lines: [Int] = []

    init(_ text: String) {
        let bytes = Array(text.utf8)
        var line = 1
        var isAtLineStart = true
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            var hash = UInt64(byte)
            index += 1
            if byte == UInt8(ascii: "\n") {
                line += 1
                isAtLineStart = true
            } else if byte == UInt8(ascii: " ")
                || isAtLineStart && (byte == UInt8(ascii: "/") || byte == UInt8(ascii: "#"))
            {
                continue
            } else {
                isAtLineStart = false
                if Self.isLetter(byte) {
                    hash = Self.hash(byte, behind: 0)
                    while index < bytes.count, Self.isLetter(bytes[index]) {
                        hash = Self.hash(bytes[index], behind: hash)
                        index += 1
                    }
                }
                hashes.append(hash)
                lines.append(line)
            }
        }
    }

    private static func hash(_ letter: UInt8, behind hash: UInt64) -> UInt64 {
        let isCapital = letter >= UInt8(ascii: "A") && letter <= UInt8(ascii: "Z")
        return (hash ^ UInt64(isCapital ? letter + 32 : letter)) &* 0x100_0000_01B3 &+ 0xCBF2_9CE4_8422_2325
    }

    /// Whether a byte belongs to a word, digits and all signs beyond ASCII among them.
    private static func isLetter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...: true
        default: false
        }
    }
}
