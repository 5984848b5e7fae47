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

    /// How the access log's lines are written.
    enum AccessLogFormat: String {
        /// Text if standard output is a terminal and gets the log, otherwise JSON.
        case auto
        case json
        case text
    }

    /// The address of health and metrics.
    var host = "127.0.0.1"
    /// The port of health and metrics. If nil, the default port, or any free port if the default one is in use.
    var port: UInt16?
    var accessLog = AccessLogPlace.standardOutput
    var accessLogFormat = AccessLogFormat.auto
    /// How long requests in flight may take once the gateway is told to stop.
    var drainSeconds = 8
}
