import Foundation
import Values

/// Searches bytes for secrets in every form that software likes to give them.
struct SecretScanner {
    /// What must not be found.
    struct Secret {
        let name: String
        let bytes: [UInt8]

        init(_ name: String, _ text: String) {
            self.name = name
            bytes = Array(text.utf8)
        }

        init(_ name: String, _ bytes: [UInt8]) {
            self.name = name
            self.bytes = bytes
        }
    }

    /// A form of a secret, as it would lie in a file.
    struct Pattern {
        let name: String
        let bytes: [UInt8]
    }

    /// All forms of all secrets.
    let patterns: [Pattern]

    init(_ secrets: [Secret]) { patterns = secrets.flatMap(Self.forms) }

    /// A search for patterns as they are.
    init(patterns: [Pattern]) { self.patterns = patterns }

    /// What is found in bytes.
    func findings(in bytes: [UInt8]) -> [String] {
        patterns.filter { bytes.range(of: $0.bytes) != nil }.map(\.name)
    }

    /// What is found in the files below a folder, each with the file's path below it.
    func findings(below folder: String) throws -> [String] {
        try TestFolder.files(below: folder).flatMap { path in
            // A file may go away while a gateway runs.
            let bytes = (try? Data(contentsOf: URL(fileURLWithPath: path))).map(Array.init) ?? []
            return findings(in: bytes).map { "\(path.dropFirst(folder.count + 1)): \($0)" }
        }
    }

    private static func forms(_ secret: Secret) -> [Pattern] {
        let bytes = secret.bytes
        let hexadecimal = Hexadecimal.encoded(bytes)
        var forms: [(String, [UInt8])] = [
            ("plain", bytes), ("hex", Array(hexadecimal.utf8)), ("HEX", Array(hexadecimal.uppercased().utf8)),
            ("UTF-16 LE", bytes.flatMap { [$0, 0] }), ("UTF-16 BE", bytes.flatMap { [0, $0] }),
        ]
        for position in 0..<3 {
            let encoded = base64(bytes, at: position)
            forms.append(("base64 at \(position)", Array(encoded.utf8)))
            let urlSafe = encoded.replacing("+", with: "-").replacing("/", with: "_")
            if urlSafe != encoded { forms.append(("base64url at \(position)", Array(urlSafe.utf8))) }
        }
        if bytes.allSatisfy({ (0x30...0x39).contains($0) }), bytes.count > 8 {
            for separator in [UInt8(ascii: " "), UInt8(ascii: "-")] {
                let groups = stride(from: 0, to: bytes.count, by: 4).map { bytes[$0..<min($0 + 4, bytes.count)] }
                forms.append(("in groups", Array(groups.joined(separator: [separator]))))
            }
            // Two digits a byte, as EMV writes them.
            if let decimal = Hexadecimal.decoded(bytes.count.isMultiple(of: 2) ? bytes : bytes + [0x46]) {
                forms.append(("binary-coded decimal", decimal))
            }
        }
        // JSON may escape a solidus.
        let escaped = Array(String(decoding: bytes, as: UTF8.self).replacing("/", with: "\\/").utf8)
        if bytes.contains(UInt8(ascii: "/")) { forms.append(("escaped", escaped)) }
        return forms.map { Pattern(name: "\(secret.name), \($0.0)", bytes: $0.1) }
    }

    /// What base64 makes of bytes that begin `position` bytes after a group of three, without the characters that
    /// the bytes before and behind have a part in.
    private static func base64(_ bytes: [UInt8], at position: Int) -> String {
        let characters = Array(Base64.encoded([UInt8](repeating: 0, count: position) + bytes))
        let first = (position * 8 + 5) / 6
        let end = (position + bytes.count) * 8 / 6
        return String(characters[first..<end])
    }
}
