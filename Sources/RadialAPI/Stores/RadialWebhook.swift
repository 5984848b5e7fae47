public import HTTP
internal import HTTPTypes
public import Values
public import Vault

/// The URL that receives the outcomes of a store's settlements.
public struct RadialWebhook: Sendable {
    /// The address.
    public let address: HTTPURL
    /// The credentials for HTTP Basic authentication, if the address requires it.
    public let credentials: Credentials?
    /// How long a message that is not accepted is retried, in milliseconds.
    public let retryMilliseconds: Int64

    /// A user's name and password.
    public struct Credentials: Sendable {
        /// The name, without a colon.
        public let user: String
        /// The password.
        public let password: SecretText

        /// Creates credentials.
        public init(user: String, password: SecretText) {
            self.user = user
            self.password = password
        }
    }

    /// The default retry period: one day.
    public static let retryMillisecondsDefault: Int64 = 86_400_000

    /// Creates a webhook.
    public init(
        address: HTTPURL, credentials: Credentials? = nil,
        retryMilliseconds: Int64 = RadialWebhook.retryMillisecondsDefault
    ) {
        precondition(retryMilliseconds > 0, "a span of time")
        self.address = address
        self.credentials = credentials
        self.retryMilliseconds = retryMilliseconds
    }
}

extension RadialWebhook {
    /// The request that carries a settlement's status.
    public func request(for message: Outbox.Message) -> Request {
        Request(
            head: address.head(.post, [.eventID: message.id, .contentType: "text/xml;charset=UTF-8"]),
            content: WipedBuffer(message.text), credentials: credentials?.fields ?? CredentialFields())
    }
}

extension RadialWebhook.Credentials {
    /// `Authorization` of HTTP Basic (RFC 7617).
    fileprivate var fields: CredentialFields {
        let name = Array("\(user):".utf8)
        let userAndPassword = SecretBytes(count: name.count + password.utf8Count) { bytes in
            bytes.copyBytes(from: name)
            password.withUTF8 { UnsafeMutableRawBufferPointer(rebasing: bytes[name.count...]).copyMemory(from: $0) }
        }
        var value = WipedBuffer(Array("Basic ".utf8))
        userAndPassword.withUnsafeBytes(Base64.encodedSecret).withUnsafeBytes { value.append($0) }
        var fields = CredentialFields()
        fields.append(.authorization, value)
        return fields
    }
}

extension HTTPField.Name {
    /// `Tollgate-Event-Id`, by which the store detects duplicates.
    fileprivate static let eventID: HTTPField.Name = {
        guard let name = HTTPField.Name("Tollgate-Event-Id") else { preconditionFailure("a token of RFC 9110") }
        return name
    }()
}
