/// The component to which instructions are attributed: a target of the gateway, or a library.
enum CostOwner: String, CaseIterable {
    /// libcrypto and libssl.
    case crypto
    case openSSL = "OpenSSL"
    case applePay = "ApplePay"
    /// HTTP, and the package of HTTP's types.
    case http = "HTTP"
    /// HTTPServer, and HTTP/2.
    case httpServer = "HTTPServer"
    case json = "JSON"
    case merchantAPI = "MerchantAPI"
    case operationsAPI = "OperationsAPI"
    case access = "Access"
    case payments = "Payments"
    case vault = "Vault"
    /// SQLiteStore, GRDB and libsqlite3.
    case store
    case values = "Values"
    /// Swift's runtime and standard library, Foundation, Dispatch, and the runtime of C++.
    case swiftRuntime = "Swift runtime"
    /// The C library and the dynamic linker.
    case libc
    case other

    /// The owner of a function. Functions of libraries are attributed by their object, all others by the module in their
    /// name. A specialization of a generic function belongs to the module that declares the function.
    init(of function: CallgrindProfile.Function) {
        let object = function.object.split(separator: "/").last ?? ""
        if let library = Self.libraries.first(where: { object.hasPrefix($0.prefix) }) {
            self = library.owner
        } else if let module = MangledName.module(of: function.name, extendedBy: Self.extending) {
            self = Self.modules[module] ?? .other
        } else {
            self = Self.runtimePrefixes.contains(where: function.name.hasPrefix) ? .swiftRuntime : .other
        }
    }

    private static let libraries: [(prefix: String, owner: CostOwner)] = [
        ("libcrypto.", .crypto), ("libssl.", .crypto), ("libsqlite3.", .store), ("libc.", .libc), ("libm.", .libc),
        ("ld-linux", .libc), ("libswift", .swiftRuntime), ("libdispatch.", .swiftRuntime),
        ("libBlocksRuntime.", .swiftRuntime), ("libFoundation", .swiftRuntime), ("lib_Foundation", .swiftRuntime),
        ("libstdc++.", .swiftRuntime), ("libgcc_s.", .swiftRuntime),
    ]

    private static let modules: [String: CostOwner] = [
        "OpenSSL": .openSSL, "ApplePay": .applePay, "HTTP": .http, "HTTPTypes": .http, "HTTPServer": .httpServer,
        "HTTP2": .httpServer, "JSON": .json, "MerchantAPI": .merchantAPI, "OperationsAPI": .operationsAPI,
        "Access": .access, "Payments": .payments, "Vault": .vault, "SQLiteStore": .store, "GRDB": .store,
        "Values": .values,
        "Swift": .swiftRuntime, "_Concurrency": .swiftRuntime, "Dispatch": .swiftRuntime,
        "Foundation": .swiftRuntime, "FoundationEssentials": .swiftRuntime, "Synchronization": .swiftRuntime,
        "Glibc": .swiftRuntime, "SwiftGlibc": .swiftRuntime, "__C": .swiftRuntime,
        // Listed because they extend types of other modules.
        "ApplePaySandbox": .other, "ControlAPI": .other, "HostedPages": .other, "Notifications": .other,
        "PostgresStore": .other, "RadialAPI": .other, "XML": .other, "Yams": .other, "tollgate": .other,
    ]

    private static let extending = Set(modules.filter { $0.value != .swiftRuntime }.keys)

    /// Prefixes of symbols that belong to the Swift runtime: its own functions, if they are linked into the program, and
    /// functions that are mangled with a type without a module.
    private static let runtimePrefixes = [
        "$s", "swift_", "_swift_", "__swift_", "_Z", "dispatch_", "_dispatch_", "_os_object_", "_Block_",
    ]
}
