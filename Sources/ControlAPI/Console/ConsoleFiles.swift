internal import Assets
internal import HTTP
internal import HTTPTypes

/// The files of the console: its page, scripts and style. They are public and hold no data; their scripts fetch the data
/// from the control API, with its credentials.
enum ConsoleFiles {
    /// Only these scripts and styles, no inline ones, no frame around the page, and no text that becomes markup.
    private static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; "
        + "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

    private static let contentTypes = [
        "css": "text/css; charset=utf-8", "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "svg": "image/svg+xml",
    ]

    /// The files by their paths.
    private static let files: [String: StaticFile] = {
        var files: [String: StaticFile] = [:]
        var index = 0
        while let file = console_file(index)?.pointee {
            let name = String(cString: file.path)
            let content = Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
            files[path(of: name)] = StaticFile(content, contentType: contentType(of: name), fields: fields)
            index += 1
        }
        files["/favicon.ico"] = files[path(of: "icon.svg")]
        return files
    }()

    private static let fields: HTTPFields = {
        var fields: HTTPFields = [
            .contentSecurityPolicy: policy, .crossOriginResourcePolicy: "same-origin", .referrerPolicy: "no-referrer",
        ]
        if let name = HTTPField.Name("Cross-Origin-Opener-Policy") { fields[name] = "same-origin" }
        return fields
    }()

    private static func path(of name: String) -> String {
        name == "index.html" ? ControlRoute.prefix : "\(ControlRoute.prefix)console/\(name)"
    }

    private static func contentType(of name: String) -> String {
        guard let type = name.split(separator: ".").last.flatMap({ contentTypes[String($0)] }) else {
            preconditionFailure("\(name) has no content type")
        }
        return type
    }

    /// The response to a request for a file; nil if the path is none of a file.
    static func response(to request: Request) -> Response? {
        let path = String((request.head.path ?? "").prefix { $0 != "?" })
        guard let file = files[path] else { return nil }
        guard request.head.method == .get || request.head.method == .head else {
            return ControlFault.methodNotAllowed([.get, .head]).response
        }
        return file.response(to: request)
    }
}
