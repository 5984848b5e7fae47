import ApplePay
import Glibc
import JSON

/// A token's report as text: one line per step with the finding, and the remedy below a failed step.
struct ReportTable: CustomStringConvertible {
    let description: String

    init(_ report: TokenReport, revealing: Bool, style: TerminalStyle) {
        let verdict = style.colored(report.verdict.rawValue, report.verdict == .accepted ? .boldGreen : .boldRed)
        var lines = ["verdict    " + verdict + (report.version.map { "   \($0)" } ?? ""), ""]
        let width = TokenStep.allCases.map(\.rawValue.count).max() ?? 0
        for step in TokenStep.allCases {
            let outcome = report[step]
            let start = step.rawValue.padded(to: width) + "  "
            let name = style.colored(outcome.name.padded(to: 7), outcome.color) + "  "
            switch outcome {
            case .failed(let refusal):
                lines.append(start + name + refusal.finding)
                lines.append(String(repeating: " ", count: width + 11) + refusal.remedy)
            case .skipped: lines.append(start + name + style.colored(report.detail(of: step), .dim))
            case .passed: lines.append(start + name + report.detail(of: step))
            }
        }
        if !report.notes.isEmpty { lines += [""] + report.notes.map { style.colored("note", .yellow) + "  " + $0 } }
        if report.paymentData != nil, case .object(let members) = report.json(revealing: revealing)["paymentData"] {
            lines += ["", "payment data" + (revealing ? "" : " (masked; --reveal shows it)")]
            lines += Self.lines(members, indent: "  ")
        }
        description = lines.joined(separator: "\n") + "\n"
    }

    private static func lines(_ members: JSONObject, indent: String) -> [String] {
        members.flatMap { name, value -> [String] in
            guard case .object(let nested) = value else {
                return [indent + name + "  " + String(decoding: value.serialized(), as: UTF8.self)]
            }
            return [indent + name] + lines(nested, indent: indent + "  ")
        }
    }
}

/// The styling of text on a terminal.
struct TerminalStyle {
    /// Whether the terminal supports the escape sequences of ECMA-48.
    let isColored: Bool

    /// A style, as the parameters of SGR (ECMA-48).
    enum Color: String {
        case green = "32"
        case red = "31"
        case yellow = "33"
        case boldGreen = "1;32"
        case boldRed = "1;31"
        case dim = "2"
    }

    /// Styled at a terminal, unless `NO_COLOR` (https://no-color.org) is set or the terminal is a dumb one.
    static var standardOutput: TerminalStyle {
        func variable(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
        return TerminalStyle(
            isColored: isatty(STDOUT_FILENO) == 1 && variable("NO_COLOR").isEmpty && variable("TERM") != "dumb")
    }

    /// The text, styled if the terminal supports it.
    func colored(_ text: String, _ color: Color) -> String {
        isColored ? "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m" : text
    }
}

extension TokenReport.Outcome {
    fileprivate var color: TerminalStyle.Color {
        switch self {
        case .passed: .green
        case .failed: .red
        case .skipped: .dim
        }
    }
}

extension String {
    /// The text padded with trailing spaces to `width` characters.
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
