import Testing

/// The targets of `Sources`, and which of them each may import. Swift's own modules and other packages are not in it.
///
/// A target takes values and returns values, and never calls up: a row names only targets of rows above it. APIs stand side
/// by side and never import one another.
enum TargetTable {
    /// One target.
    struct Row: CustomTestStringConvertible, Sendable {
        let target: String
        let imports: Set<String>

        var testDescription: String { target }

        init(_ target: String, _ imports: String...) {
            self.target = target
            self.imports = Set(imports)
        }
    }

    /// Every target with a wrapper of a C library stands before the target that owns it.
    static let rows = [
        // System libraries: module map and shim.
        Row("CLibPQ"), Row("CLibXML2"), Row("CLinux"), Row("CNghttp2"), Row("COpenSSL"),
        // Files that the program brings along.
        Row("Assets"),

        // Foundations: they know nothing of payments.
        Row("Values"),
        Row("JSON"),
        Row("HTTP"),
        Row("OpenSSL", "COpenSSL", "Values"),
        Row("XML", "CLibXML2"),
        Row("HTTP2", "CNghttp2", "HTTP"),
        Row("HTTPServer", "CLinux", "HTTP", "HTTP2", "OpenSSL"),
        Row("HTTPClient", "HTTP", "OpenSSL"),

        // Money.
        Row("ApplePay", "JSON", "OpenSSL", "Values"),
        Row("ApplePaySandbox", "ApplePay", "JSON", "OpenSSL", "Values"),
        Row("Vault", "JSON", "OpenSSL", "Values"),
        Row("Payments", "ApplePay", "JSON", "OpenSSL", "Values", "Vault"),
        Row("SQLiteStore", "Payments", "Values", "Vault"),
        Row("PostgresStore", "CLibPQ", "Payments", "Values", "Vault"),

        // APIs.
        Row("Access", "HTTP", "JSON", "OpenSSL", "Payments", "Values"),
        Row("Notifications", "HTTP", "HTTPClient", "Payments", "Values", "Vault"),
        Row("MerchantAPI", "Access", "ApplePay", "HTTP", "JSON", "OpenSSL", "Payments", "Values", "Vault"),
        Row("RadialAPI", "Access", "ApplePay", "HTTP", "JSON", "OpenSSL", "Payments", "Values", "Vault", "XML"),
        Row("ControlAPI", "Access", "ApplePay", "ApplePaySandbox", "Assets", "HTTP", "JSON", "Payments", "Values"),
        Row(
            "HostedPages", "Access", "ApplePay", "ApplePaySandbox", "Assets", "HTTP", "JSON", "OpenSSL", "Payments",
            "Values"),
        Row("OperationsAPI", "Access", "ApplePay", "HTTP", "JSON", "Payments", "Values"),

        // Programs.
        Row(
            "tollgate", "Access", "ApplePay", "ApplePaySandbox", "Assets", "ControlAPI", "HostedPages", "HTTP",
            "HTTPClient",
            "HTTPServer", "JSON", "MerchantAPI", "Notifications", "OpenSSL", "OperationsAPI", "Payments",
            "PostgresStore", "RadialAPI", "SQLiteStore", "Values", "Vault"),
        // For tollgate-bench and tests alone.
        Row("HTTP2Client", "CNghttp2", "HTTP", "HTTP2"),
        Row(
            "tollgate-bench", "ApplePay", "ApplePaySandbox", "CLinux", "COpenSSL", "HTTP", "HTTP2Client",
            "HTTPClient", "JSON", "OpenSSL", "Payments", "PostgresStore", "SQLiteStore", "Values", "Vault"),
    ]
}
