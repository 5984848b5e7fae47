import Glibc
import Values

/// The password of an encrypted key or a PKCS#12 file, and its source.
struct KeyPassword {
    /// The password, as UTF-8.
    let text: SecretBytes
    /// The file or the variable, for error messages about a wrong password.
    let source: String

    /// Reads the first line of a file. By default, the file must be private to its owner.
    init(file path: String, users: File.Users = .owner) throws {
        let content = try File.readSecret(path, byteCountMax: 4096, users: users)
        text = content.withUnsafeBytes { content in
            let end = content.firstIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } ?? content.endIndex
            return SecretBytes(copying: UnsafeRawBufferPointer(rebasing: content[..<end]))
        }
        guard text.count > 0 else { throw Failure("\(path): its first line holds no password") }
        source = path
    }

    /// Reads an environment variable; nil if it is unset or empty.
    init?(environment variable: String) {
        guard let value = getenv(variable), value.pointee != 0 else { return nil }
        text = SecretBytes(copying: UnsafeRawBufferPointer(start: value, count: strlen(value)))
        source = "$" + variable
    }
}
