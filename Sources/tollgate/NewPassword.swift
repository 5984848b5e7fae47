import Glibc
import OpenSSL
import Payments
import Values

/// An API password that a command makes or is told, and what a file keeps of it.
struct NewPassword {
    /// The password, to be shown once; nothing of one that was chosen, whose owner knows it.
    let shown: String?
    /// What a merchant's file keeps.
    let kept: String

    /// The fewest bytes of a chosen password.
    static let chosenBytesMin = 8
    /// The most bytes of a chosen password.
    static let chosenBytesMax = 256

    /// Makes a password of 128 random bits, in hexadecimal as Mastercard's are.
    static func made() throws -> NewPassword {
        let text = Hexadecimal.encoded(RandomBytes.generate(16))
        return NewPassword(shown: text, kept: APIPassword(digesting: SecretText(text)).kept ?? "")
    }

    /// Asks for a password: twice and without showing it at a terminal, or for the first line of standard input.
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
