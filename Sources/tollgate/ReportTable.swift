import ApplePay
import JSON

/// A token's report for people: a line a step, with the sentence that says why.
struct ReportTable: CustomStringConvertible {
    let description: String

    init(_ report: TokenReport, revealing: Bool) {
        var lines = [
            "verdict    \(report.verdict.rawValue)" + (report.version.map { "   \($0)" } ?? ""), "",
        ]
        let width = TokenStep.allCases.map(\.rawValue.count).max() ?? 0
        for step in TokenStep.allCases {
            let outcome = report[step].name
            lines.append(
                Self.padded(step.rawValue, to: width) + "  " + Self.padded(outcome, to: 7) + "  "
                    + report.detail(of: step))
        }
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

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
