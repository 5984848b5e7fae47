import Glibc
import OperationsAPI

/// Whether standard output is a terminal, and whether it shows colours.
enum TerminalOutput {
    /// Whether a person reads standard output.
    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Whether to colour what goes there. `NO_COLOR`, present and not empty, forbids it (no-color.org).
    static var isColoured: Bool {
        guard isTerminal, variable("NO_COLOR").isEmpty else { return false }
        return variable("TERM") != "dumb"
    }

    private static func variable(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
}

extension OperationsSettings {
    /// The form of the access log's lines, for where it goes.
    var accessLogForm: AccessLogForm {
        let isOnTerminal = accessLog == .standardOutput && TerminalOutput.isTerminal
        return switch accessLogFormat {
        case .auto where isOnTerminal, .text: .text(isColoured: isOnTerminal && TerminalOutput.isColoured)
        case .auto, .json: .json
        }
    }
}
