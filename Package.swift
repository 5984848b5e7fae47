// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// With this in the environment the fuzzers are built, and every target is instrumented for them. Such flags would
/// keep the package from being anyone's dependency, so they are not there otherwise.
let isFuzzing = Context.environment["TOLLGATE_FUZZ"] != nil

/// All targets are compiled with the same settings: the same language features and no warnings, so that a nonisolated
/// async call stays on its caller's executor wherever it crosses a module border.
let settings: [SwiftSetting] =
    [
        .treatAllWarnings(as: .error),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ] + (isFuzzing ? [.unsafeFlags(["-sanitize=fuzzer,address"])] : [])

let package = Package(
    name: "tollgate",
    products: [
        .library(name: "ApplePay", targets: ["ApplePay", "JSON", "OpenSSL", "Values"]),
        .executable(name: "tollgate", targets: ["tollgate"]),
        .executable(name: "tollgate-bench", targets: ["tollgate-bench"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    ],
    targets: [
        // The money line.
        .target(name: "Values", swiftSettings: settings),
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .target(name: "OpenSSL", dependencies: ["COpenSSL", "Values"], swiftSettings: settings),
        .target(name: "JSON", swiftSettings: settings),
        .target(name: "ApplePay", dependencies: ["JSON", "OpenSSL", "Values"], swiftSettings: settings),
        .target(
            name: "ApplePaySandbox", dependencies: ["ApplePay", "JSON", "OpenSSL", "Values"], swiftSettings: settings),
        .target(name: "Vault", dependencies: ["JSON", "OpenSSL", "Values"], swiftSettings: settings),
        .target(
            name: "Payments", dependencies: ["ApplePay", "JSON", "OpenSSL", "Values", "Vault"], swiftSettings: settings),
        .target(
            name: "SQLiteStore",
            dependencies: [
                "Payments", "Values", "Vault", .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            swiftSettings: settings),
        .systemLibrary(name: "CLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .target(
            name: "PostgresStore", dependencies: ["CLibPQ", "Payments", "Values", "Vault"], swiftSettings: settings),

        // The message line.
        .systemLibrary(name: "CLinux"),
        // The files that the program brings along, by C23's #embed.
        .target(name: "Assets", exclude: ["apple-pay", "console"]),
        .target(
            name: "HTTP", dependencies: [.product(name: "HTTPTypes", package: "swift-http-types")],
            swiftSettings: settings),
        .systemLibrary(name: "CNghttp2", pkgConfig: "libnghttp2", providers: [.apt(["libnghttp2-dev"])]),
        .target(
            name: "HTTP2",
            dependencies: ["CNghttp2", "HTTP", .product(name: "HTTPTypes", package: "swift-http-types")],
            swiftSettings: settings),
        .target(
            name: "HTTP2Client",
            dependencies: ["CNghttp2", "HTTP", "HTTP2", .product(name: "HTTPTypes", package: "swift-http-types")],
            swiftSettings: settings),
        .target(
            name: "HTTPServer",
            dependencies: [
                "CLinux", "HTTP", "HTTP2", "OpenSSL", .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: settings),

        .target(
            name: "HTTPClient",
            dependencies: ["HTTP", "OpenSSL", .product(name: "HTTPTypes", package: "swift-http-types")],
            swiftSettings: settings),

        .systemLibrary(name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
        .target(name: "XML", dependencies: ["CLibXML2"], swiftSettings: settings),

        // The bridge.
        .target(
            name: "Access",
            dependencies: [
                "HTTP", "JSON", "OpenSSL", "Payments", "Values",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: settings),

        .target(
            name: "MerchantAPI",
            dependencies: [
                "Access", "ApplePay", "HTTP", "JSON", "OpenSSL", "Payments", "Values", "Vault",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: settings),

        .target(
            name: "RadialAPI",
            dependencies: [
                "Access", "ApplePay", "HTTP", "JSON", "OpenSSL", "Payments", "Values", "Vault", "XML",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: settings),

        .target(
            name: "Notifications",
            dependencies: [
                "HTTP", "HTTPClient", "Payments", "Values", "Vault",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: settings),

        .target(
            name: "ControlAPI",
            dependencies: [
                "Access", "ApplePay", "ApplePaySandbox", "Assets", "HTTP", "JSON", "Payments", "Values",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: settings),

        .target(
            name: "HostedPages",
            dependencies: [
                "Access", "ApplePay", "ApplePaySandbox", "Assets", "HTTP", "JSON", "OpenSSL", "Payments", "Values",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: settings),

        .target(
            name: "OperationsAPI",
            dependencies: [
                "Access", "ApplePay", "HTTP", "JSON", "Payments", "Values",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: settings),

        // The programs.
        .executableTarget(
            name: "tollgate",
            dependencies: [
                "Access", "ApplePay", "ApplePaySandbox", "Assets", "ControlAPI", "HTTP", "HTTPClient", "HTTPServer",
                "HostedPages", "JSON", "MerchantAPI", "Notifications", "OpenSSL", "OperationsAPI", "Payments",
                "PostgresStore",
                "RadialAPI", "SQLiteStore", "Values", "Vault",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "HTTPTypes", package: "swift-http-types"), .product(name: "Yams", package: "Yams"),
            ],
            swiftSettings: settings,
            // All symbols are bound at the start. Lazy binding saves the vector registers on the stack first, with
            // whatever was copied last. No product that another package could use has this target.
            linkerSettings: [.unsafeFlags(["-Xlinker", "-z", "-Xlinker", "now"])]),

        .executableTarget(
            name: "tollgate-bench",
            dependencies: [
                "ApplePay", "ApplePaySandbox", "CLinux", "COpenSSL", "HTTP", "HTTP2Client", "HTTPClient", "JSON",
                "OpenSSL", "Payments", "PostgresStore", "SQLiteStore", "Values", "Vault",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Histogram", package: "hdrhistogram-swift"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: settings),

        // Tests.
        .target(
            name: "TestSupport",
            dependencies: ["ApplePay", "ApplePaySandbox", "JSON", "OpenSSL", "Payments", "Values", "Vault"],
            path: "Tests/TestSupport", swiftSettings: settings),
        .target(
            name: "FuzzSupport",
            dependencies: [
                "ApplePay", "ApplePaySandbox", "HTTP", "HTTP2", "TestSupport", "Values", "XML",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "Tests/FuzzSupport", swiftSettings: settings),
        .testTarget(name: "FuzzTests", dependencies: ["FuzzSupport"], swiftSettings: settings),
        .testTarget(name: "ValuesTests", dependencies: ["Values"], swiftSettings: settings),
        .testTarget(
            name: "OpenSSLTests", dependencies: ["OpenSSL", "TestSupport", "Values"], swiftSettings: settings),
        .testTarget(name: "JSONTests", dependencies: ["JSON", "Values"], swiftSettings: settings),
        .testTarget(
            name: "ApplePayTests",
            dependencies: ["ApplePay", "ApplePaySandbox", "JSON", "OpenSSL", "TestSupport", "Values"],
            swiftSettings: settings),
        .testTarget(
            name: "ApplePaySandboxTests",
            dependencies: ["ApplePay", "ApplePaySandbox", "JSON", "OpenSSL", "TestSupport", "Values"],
            swiftSettings: settings),
        .testTarget(
            name: "VaultTests", dependencies: ["ApplePay", "JSON", "TestSupport", "Values", "Vault"],
            swiftSettings: settings),
        .testTarget(
            name: "PaymentsTests",
            dependencies: ["ApplePay", "JSON", "OpenSSL", "Payments", "TestSupport", "Values", "Vault"],
            swiftSettings: settings),
        .testTarget(
            name: "StoreTests",
            dependencies: [
                "ApplePay", "ApplePaySandbox", "JSON", "Payments", "PostgresStore", "RadialAPI", "SQLiteStore",
                "TestSupport", "Values", "Vault", .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "HTTPTests",
            dependencies: ["HTTP", .product(name: "HTTPTypes", package: "swift-http-types")],
            swiftSettings: settings),
        .testTarget(
            name: "HTTP2Tests",
            dependencies: ["HTTP", "HTTP2", "HTTP2Client", .product(name: "HTTPTypes", package: "swift-http-types")],
            swiftSettings: settings),
        .testTarget(
            name: "HTTPServerTests",
            dependencies: [
                "HTTP", "HTTP2", "HTTP2Client", "HTTPServer", "OpenSSL", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "HTTPClientTests",
            dependencies: [
                "HTTP", "HTTPClient", "OpenSSL", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: settings),
        .testTarget(name: "XMLTests", dependencies: ["XML"], swiftSettings: settings),
        .testTarget(name: "AccessTests", dependencies: ["Access", "Payments", "Values"], swiftSettings: settings),
        .testTarget(
            name: "MerchantAPITests",
            dependencies: [
                "Access", "ApplePay", "ApplePaySandbox", "HTTP", "JSON", "MerchantAPI", "OpenSSL", "Payments",
                "TestSupport", "Values", "Vault", .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "RadialAPITests",
            dependencies: [
                "Access", "ApplePay", "ApplePaySandbox", "HTTP", "JSON", "Payments", "RadialAPI", "TestSupport",
                "Values", "Vault", "XML", .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            exclude: ["Fixtures"], swiftSettings: settings),
        .testTarget(
            name: "NotificationsTests",
            dependencies: [
                "HTTP", "Notifications", "Payments", "TestSupport", "Values", "Vault",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "ControlAPITests",
            dependencies: [
                "Access", "ApplePay", "ApplePaySandbox", "ControlAPI", "HTTP", "JSON", "MerchantAPI", "Payments",
                "TestSupport", "Values", "Vault", .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "HostedPagesTests",
            dependencies: [
                "Access", "ApplePay", "ApplePaySandbox", "HostedPages", "HTTP", "JSON", "OpenSSL", "Payments",
                "TestSupport", "Values", .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "OperationsAPITests",
            dependencies: [
                "Access", "ApplePay", "ApplePaySandbox", "HTTP", "JSON", "MerchantAPI", "OperationsAPI", "Payments",
                "TestSupport", "Values", "Vault", .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "GatewayTests",
            dependencies: [
                "tollgate", "ApplePay", "ApplePaySandbox", "ControlAPI", "HTTP", "HTTP2Client", "HTTPClient",
                "HostedPages",
                "JSON",
                "MerchantAPI", "OpenSSL", "Payments", "RadialAPI", "SQLiteStore", "TestSupport", "Values",
                .product(name: "HTTPTypes", package: "swift-http-types"), .product(name: "Yams", package: "Yams"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "BenchTests",
            dependencies: ["tollgate-bench", "ApplePay", "ApplePaySandbox", "OpenSSL", "TestSupport", "Values"],
            swiftSettings: settings),
        .testTarget(
            name: "RepositoryTests", dependencies: ["OpenSSL", "TestSupport", "Values"], swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)

// Without the folder of the tests, as where a container is built, the package has no targets in it.
if !FileManager.default.fileExists(atPath: Context.packageDirectory + "/Tests") {
    package.targets.removeAll { $0.type == .test || $0.path?.hasPrefix("Tests/") == true }
}

if isFuzzing {
    package.targets.append(
        .executableTarget(
            name: "Fuzzer", dependencies: ["FuzzSupport"], path: "Tests/Fuzzer",
            swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])],
            linkerSettings: [.unsafeFlags(["-use-ld=lld", "-sanitize=fuzzer,address"])]))
}
