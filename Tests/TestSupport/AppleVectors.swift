public import ApplePay
public import Foundation
public import JSON
public import OpenSSL

/// Tokens that Apple really signed, which lie outside the repository: each a folder with `token.json` and, where they
/// were published, `private_key.pem`, `certificate.pem` and `expected.json`.
public struct AppleVector: Sendable, CustomStringConvertible {
    /// The folder's name.
    public let name: String
    let folder: URL

    /// The folder of all vectors, where the environment variable `TOLLGATE_VECTORS` names it.
    public static let folder: URL? = ProcessInfo.processInfo.environment["TOLLGATE_VECTORS"].map {
        URL(fileURLWithPath: $0, isDirectory: true)
    }

    /// Whether the vectors are at hand; without them their tests are reported as skipped.
    public static let areAvailable = folder != nil

    /// A vector by its folder's name.
    public init(_ name: String) {
        self.name = name
        folder = (Self.folder ?? URL(fileURLWithPath: "/nonexistent")).appendingPathComponent("applepay/\(name)")
    }

    /// The folder's name.
    public var description: String { name }

    /// The path of a file of the vector.
    public func path(_ file: String) -> String { folder.appendingPathComponent(file).path }

    /// The bytes of a file of the vector.
    public func bytes(_ file: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appendingPathComponent(file)))
    }

    /// The token as it was published.
    public var token: String { get throws { String(decoding: try bytes("token.json"), as: UTF8.self) } }

    /// What the token holds, as its publisher says.
    public var expected: JSONValue { get throws { try JSONValue(parsing: try bytes("expected.json")) } }

    /// The merchant's key with the certificate that was published beside it.
    public var key: PaymentProcessingKey {
        get throws {
            try PaymentProcessingKey(
                privateKey: try privateKey, certificate: try Certificate(pem: try bytes("certificate.pem")))
        }
    }

    /// The merchant's private key as it was published.
    public var privateKey: PrivateKey {
        get throws { try bytes("private_key.pem").withUnsafeBytes { try PrivateKey(pem: $0) } }
    }

    /// The merchant identifier that the published certificate names.
    public var merchantIdentifier: String? {
        get throws { try Certificate(pem: try bytes("certificate.pem")).userIdentifier }
    }
}

/// The roots that tests accept.
public enum TestTrust {
    /// Apple Root CA - G3 as the repository ships it.
    public static func apple(acceptsSandbox: Bool = true) throws -> TrustPolicy {
        let root = try Certificate(pem: try applePEM())
        guard let anchor = TrustPolicy.Anchor.apple(root) else { throw NotAppleRoot() }
        return try TrustPolicy(anchors: [anchor], acceptsAppleSandbox: acceptsSandbox)
    }

    /// The file of Apple Root CA - G3 as the repository ships it.
    public static func applePEM() throws -> [UInt8] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Config/trust/AppleRootCA-G3.pem")
        return Array(try Data(contentsOf: file))
    }

    /// The shipped file is another certificate.
    public struct NotAppleRoot: Error {}
}
