import Glibc
import OpenSSL
import Payments
import Values

/// The bearer token of the control port: of a file or a variable, or else one that the gateway makes on the first start
/// and keeps in the data directory.
struct ControlToken {
    /// The token, for comparisons.
    let password: PresentedPassword
    /// The path of the file in the data directory that has it; nil if it was given.
    let keptPath: String?

    /// The environment variable with a token.
    static let variable = "TOLLGATE_CONTROL_TOKEN"
    /// The name of the file in the data directory.
    static let fileName = "control-token"

    private static let byteCountMin = 16
    private static let fileByteCountMax = 4096
    private static let ways = "give a token with --control-token-file or \(variable)"

    /// Reads the token, and makes it if neither a file nor the variable has one. An empty variable counts as none.
    ///
    /// - Parameters:
    ///   - path: the file that was named, if any; its first line is the token.
    ///   - directory: the data directory, locked for this gateway.
    /// - Throws: ``Failure`` for a token that is too short, or one that can't be read or kept.
    init(path: String?, in directory: DataDirectory) throws {
        let (token, place): (SecretText, String)
        if let path {
            (token, place) = (try Self.firstLine(of: path, users: .owner), path)
            keptPath = nil
        } else if let given = getenv(Self.variable).map({ String(cString: $0) }), !given.isEmpty {
            (token, place) = (SecretText(given), Self.variable)
            keptPath = nil
        } else {
            let path = directory.controlTokenPath
            (token, place) = (try Self.kept(path, in: directory), path)
            keptPath = path
        }
        guard token.utf8Count >= Self.byteCountMin else {
            let remedy = keptPath == nil ? Self.ways : "remove it for a new one, or \(Self.ways)"
            throw Failure(
                "\(place): the control port requires a bearer token of at least \(Self.byteCountMin) characters; \(remedy)"
            )
        }
        password = PresentedPassword(token)
    }

    private static func firstLine(of path: String, users: File.Users) throws -> SecretText {
        try File.readSecret(path, byteCountMax: fileByteCountMax, users: users).withUnsafeBytes { bytes in
            SecretText(utf8: UnsafeRawBufferPointer(rebasing: bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != 13 }))
        }
    }

    private static func kept(_ path: String, in directory: DataDirectory) throws -> SecretText {
        do {
            if !File.exists(path) {
                try made().withUnsafeBytes { try File.writePrivate(path, $0) }
                try File.syncFolder(directory.path)
            }
            try OtherPermissions.remove(fromFile: path)
            return try firstLine(of: path, users: .anyone)
        } catch {
            throw Failure("\(error); the control port's bearer token is kept there: repair it, or \(ways)")
        }
    }

    /// 128 random bits in hexadecimal, and a line's end.
    private static func made() -> SecretBytes {
        let digits = Array("0123456789abcdef".utf8)
        let random = RandomBytes.secret(16)
        return SecretBytes(count: 2 * random.count + 1) { text in
            random.withUnsafeBytes { bytes in
                for (index, byte) in bytes.enumerated() {
                    text[2 * index] = digits[Int(byte >> 4)]
                    text[2 * index + 1] = digits[Int(byte & 15)]
                }
            }
            text[text.count - 1] = UInt8(ascii: "\n")
        }
    }
}
