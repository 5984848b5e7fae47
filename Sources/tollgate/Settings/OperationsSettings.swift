/// The settings for observability and shutdown.
struct OperationsSettings {
    /// The destination of the access log.
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

    /// The address of health and metrics.
    var host = "127.0.0.1"
    /// The port of health and metrics. If nil, the default port, or any free port if the default one is in use.
    var port: UInt16?
    var accessLog = AccessLogPlace.standardOutput
    /// The maximum time for requests in flight after the gateway was told to stop, in seconds.
    var drainSeconds = 8
}
