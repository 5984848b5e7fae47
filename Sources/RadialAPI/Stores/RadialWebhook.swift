public import HTTP
public import Values

/// The URL that receives the outcomes of a store's settlements.
public struct RadialWebhook: Sendable {
    /// The address.
    public let address: HTTPURL
    /// What HTTP Basic sends, if the address wants it.
    public let credentials: Credentials?
    /// For how long a message that is not accepted is sent again, in milliseconds.
    public let retryMilliseconds: Int64

    /// A user's name and password.
    public struct Credentials: Sendable {
        /// The name, without a colon.
        public let user: String
        /// The password.
        public let password: SecretText

        /// Credentials.
        public init(user: String, password: SecretText) {
            self.user = user
            self.password = password
        }
    }

    /// One day.
    public static let retryMillisecondsDefault: Int64 = 86_400_000

    /// A webhook.
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
