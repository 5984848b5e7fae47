import Glibc
import Values

/// The password of an encrypted key or a PKCS#12 file, and where it came from.
struct KeyPassword {
    /// The password, as UTF-8.
    let text: SecretBytes
    /// The file or the variable, for what is said of a password that doesn't fit.
    let source: String

    /// The first line of a file that its owner alone may use.
    init(file path: String, users: File.Users = .owner) throws {
        let content = try File.readSecret(path, byteCountMax: 4096, users: users)
        text = content.withUnsafeBytes { content in
            let end = content.firstIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } ?? content.endIndex
            return SecretBytes(copying: UnsafeRawBufferPointer(rebasing: content[..<end]))
        }
        guard text.count > 0 else { throw Failure("\(path): its first line holds no password") }
        source = path
    }

    /// The value of an environment variable, or nothing if it is absent or empty.
    init?(environment variable: String) {
        guard let value = getenv(variable), value.pointee != 0 else { return nil }
        text = SecretBytes(copying: UnsafeRawBufferPointer(start: value, count: strlen(value)))
        source = "$" + variable
    }
}
