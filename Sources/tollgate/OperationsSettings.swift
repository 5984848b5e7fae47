/// How a gateway is watched, and how it ends.
struct OperationsSettings {
    /// Where the access log goes.
    enum AccessLogPlace: Equatable {
        case off
        case standardOutput
        case file(String)

        init(_ text: String) {
            self =
                switch text {
                case "off": .off
                case "-": .standardOutput
                default: .file(text)
                }
        }
    }

    /// Where health and metrics are.
    var host = "127.0.0.1"
    /// The port for them; nothing is the default, or another one if that is taken.
    var port: UInt16?
    var accessLog = AccessLogPlace.standardOutput
    /// How long requests under way may take once the gateway is told to stop.
    var drainSeconds = 8
}
