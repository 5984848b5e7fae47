internal import Assets
internal import HTTP
internal import HTTPTypes

extension StaticFile {
    /// The embedded script that simulates Safari's Apple Pay. Any page may load it.
    static let applePayScript = StaticFile(
        Array(UnsafeBufferPointer(start: assets_apple_pay_script(), count: assets_apple_pay_script_count())),
        contentType: "text/javascript; charset=utf-8",
        fields: [
            .accessControlAllowOrigin: "*", .crossOriginResourcePolicy: "cross-origin", .referrerPolicy: "no-referrer",
        ])
}
