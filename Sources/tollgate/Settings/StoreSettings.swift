internal import Values

/// The database in which a gateway stores its orders.
struct StoreSettings {
    /// The URL of a PostgreSQL database, which may contain a password; nil is a file in the data directory.
    var url: String?
    /// The maximum number of connections to the server.
    var connectionsMax = 4
}

extension StoreSettings {
    /// Combines the separate settings.
    ///
    /// - Parameters:
    ///   - url: the URL itself.
    ///   - urlPath: the path of a file whose first line is the URL.
    static func joining(url: String?, urlPath: String?, connectionsMax: Int?) throws -> StoreSettings {
        guard url == nil || urlPath == nil else { throw Failure("storeURL and storeURLFile: name one of the two") }
        var settings = StoreSettings(url: url)
        if let urlPath {
            let content = try File.readSecret(urlPath, byteCountMax: 4096, users: .anyone).withUnsafeBytes { bytes in
                String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }, as: UTF8.self)
            }
            guard !content.isEmpty else { throw Failure("\(urlPath): its first line holds no URL") }
            settings.url = content
        }
        if let connectionsMax {
            guard settings.url != nil else {
                throw Failure("storeConnectionsMax: there are no connections without --store-url")
            }
            settings.connectionsMax = connectionsMax
        }
        return settings
    }
}
