import Testing

@testable import tollgate_bench

/// Whom a function's instructions are counted for.
struct CostOwnerTests {
    private static func owner(_ name: String, in object: String = "/opt/tollgate") -> CostOwner {
        CostOwner(of: .init(object: object, name: name))
    }

    @Test(arguments: [
        ("/usr/lib/x86_64-linux-gnu/libcrypto.so.3", CostOwner.crypto), ("libssl.so.3", .crypto),
        ("/usr/lib/libsqlite3.so.0.8.6", .store), ("/usr/lib/libc.so.6", .libc), ("/lib64/ld-linux-x86-64.so.2", .libc),
        ("/opt/swift/libswift_Concurrency.so", .swiftRuntime), ("/opt/swift/libdispatch.so", .swiftRuntime),
        ("/usr/lib/libstdc++.so.6.0.30", .swiftRuntime), ("/usr/lib/libpq.so.5", .other), ("???", .other),
    ])
    func `a library's functions are its owner's`(object: String, owner: CostOwner) {
        #expect(Self.owner("f", in: object) == owner)
    }

    @Test(arguments: [
        ("$s11MerchantAPI5RouteV", CostOwner.merchantAPI), ("$s4HTTP7RequestV", .http),
        ("$s10HTTPServer10ConnectionC", .httpServer), ("$s9HTTPTypes10HTTPFieldsV", .http),
        ("$s4GRDB8DatabaseC", .store), ("$s11SQLiteStore5TableV", .store), ("$s8tollgate7GatewayC", .other),
    ])
    func `a function is its module's`(name: String, owner: CostOwner) {
        #expect(Self.owner(name) == owner)
    }

    @Test(arguments: [
        "$sSa6appendyyxnF", "$ss5SliceV5countSivg", "$sScTss5NeverORs_rlE5valuexvg", "$sIegn_yXlTR",
        "$s10Foundation4DateV", "$sSo8timespecV", "swift_retain", "_swift_release_dealloc", "_ZN5swift8metadataEv",
        "dispatch_async", "_dispatch_worker_thread",
    ])
    func `what Swift is linked with is the runtime's`(name: String) {
        #expect(Self.owner(name) == .swiftRuntime)
    }

    @Test(arguments: ["main", "yaml_parser_parse", "objectdestroy.5Tm", "$s", "$s9", "$s99JSON", "$s0A", "$S4JSON"])
    func `what has no known module is no target's`(name: String) {
        #expect(Self.owner(name) == (name.hasPrefix("$s") ? .swiftRuntime : .other))
    }

    @Test func `an extension is of the module that extends`() {
        // Extensions of UnsafeRawBufferPointer, of Slice and of a type of C.
        #expect(Self.owner("$sSW4HTTPE8positionyyF") == .http)
        #expect(Self.owner("$ss5SliceV4JSONE4skipyyF") == .json)
        #expect(Self.owner("$sSo8timespecV10HTTPServerE3nowABvgZ") == .httpServer)
        // JSON.Node, nested and private types too.
        #expect(Self.owner("$s4JSON4NodeV11MerchantAPIE4textSSvg") == .merchantAPI)
        #expect(Self.owner("$s4JSON4NodeV4KindO11MerchantAPIE4textSSvg") == .merchantAPI)
        #expect(Self.owner("$s4JSON4Node33_0123456789ABCDEF0123456789ABCDEFLLV6AccessE4textSSvg") == .access)
        #expect(Self.owner("$s4JSON8JSONNodeV10ControlAPIE13isShownWholeSbvg") == .other)
        // A type that is called as a module is.
        #expect(Self.owner("$s8Payments6AccessV4textSSvg") == .payments)
    }

    @Test func `an identifier may refer to words before it`() {
        // JSON.JSONNode, whose first word is the module's name.
        #expect(Self.owner("$s4JSON0A4NodeV11MerchantAPIE4textSSvg") == .merchantAPI)
        // Payments.MerchantName extended by MerchantAPI, and HTTP.RequestHTTP by HTTPServer.
        #expect(Self.owner("$s8Payments12MerchantNameV0B3APIE4textSSvg") == .merchantAPI)
        #expect(Self.owner("$s8Payments7ServiceV0A4NameV4HTTPE4textSSvg") == .http)
    }
}
