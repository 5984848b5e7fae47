internal import HTTP

/// The parameters of a query, each of which may be present once.
struct ControlQuery {
    private var values: [String: String] = [:]

    /// Parses `name=value&…`.
    ///
    /// - Parameter names: the parameters that are understood; all others are refused.
    init(_ query: String?, _ names: [String]) throws(ControlFault) {
        for part in (query ?? "").split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(pair[0])
            guard pair.count == 2, names.contains(name), values[name] == nil else {
                throw ControlFault("The query is \(names.map { "\($0)=…" }.joined(separator: "&")), each once")
            }
            do { values[name] = try PathSegments.decode(pair[1].utf8) } catch {
                throw ControlFault(
                    field: name, "Expected UTF-8 in percent-encoding, without control characters")
            }
        }
    }

    /// A parameter's value; nil if it is absent.
    subscript(name: String) -> String? { values[name] }

    /// A whole number in a range.
    ///
    /// - Parameter absent: the number if the parameter is absent.
    func integer(_ name: String, in range: ClosedRange<Int>, absent: Int) throws(ControlFault) -> Int {
        guard let text = values[name] else { return absent }
        guard let number = Int(text), range.contains(number) else {
            throw ControlFault(field: name, "Expected \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
