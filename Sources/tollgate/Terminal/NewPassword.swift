import Glibc
import OpenSSL
import Payments
import Values

/// A generated or chosen API password, and its digest for a merchant's file.
struct NewPassword {
    /// The generated password, to be printed once; nil for a password chosen by the user.
    let shown: String?
    /// The digest for the merchant's file.
    let kept: String

    /// The minimum length of a chosen password, in bytes.
    static let chosenBytesMin = 8
    /// The maximum length of a chosen password, in bytes.
    static let chosenBytesMax = 256

    /// Generates a password of 128 random bits, in hexadecimal, the format of Mastercard's API passwords.
    static func made() throws -> NewPassword {
        let text = Hexadecimal.encoded(RandomBytes.generate(16))
        return NewPassword(shown: text, kept: APIPassword(digesting: SecretText(text)).kept ?? "")
    }

    /// Asks for a password: twice and without echo at a terminal, otherwise from the first line of standard input.
    static func chosen() throws -> NewPassword {
        let text = try asked("API password: ")
        guard (chosenBytesMin...chosenBytesMax).contains(text.utf8.count) else {
            throw Failure("a password has \(chosenBytesMin) to \(chosenBytesMax) bytes; nothing was changed")
        }
        guard text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
            throw Failure("a password has no control characters; nothing was changed")
        }
        if isatty(STDIN_FILENO) == 1, try asked("Once again: ") != text {
            throw Failure("the two are not the same; nothing was changed")
        }
        return NewPassword(shown: nil, kept: try APIPassword(deriving: SecretText(text)).kept ?? "")
    }

    private static func asked(_ prompt: String) throws -> String {
        var before = termios()
        let isTerminal = isatty(STDIN_FILENO) == 1 && tcgetattr(STDIN_FILENO, &before) == 0
        if isTerminal {
            StandardError.write(prompt)
            var silent = before
            silent.c_lflag &= ~tcflag_t(ECHO)
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        }
        defer {
            if isTerminal {
                tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
                StandardError.writeLine("")
            }
        }
        guard let line = readLine(strippingNewline: true) else { throw Failure("no password was given") }
        return line
    }
}
