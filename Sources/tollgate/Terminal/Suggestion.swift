/// The known word that a mistyped one was probably meant to be.
enum Suggestion {
    /// The most typing errors that are forgiven.
    private static let distanceMax = 2

    /// The known word with the fewest typing errors between it and `word`: two at most, and fewer than half of the letters.
    /// The first of several counts; nil if there is none.
    static func closest(to word: String, among known: [String]) -> String? {
        let letters = word.filter { $0 != "-" }.count
        let found = known.map { (word: $0, distance: distance(word, $0)) }
            .filter { $0.distance <= distanceMax && $0.distance * 2 <= letters }
            .min { $0.distance < $1.distance }
        return found?.word
    }

    /// Damerau and Levenshtein's distance: letters inserted, deleted, replaced, or swapped with the next one. No letter is
    /// edited twice (optimal string alignment).
    static func distance(_ one: String, _ other: String) -> Int {
        let (one, other) = (Array(one.unicodeScalars), Array(other.unicodeScalars))
        // Rows of the table: the distances of each prefix of `one` to all prefixes of `other`.
        var rows = [Array(0...other.count)]
        for i in one.indices {
            var row = [i + 1]
            for j in other.indices {
                let cost = one[i] == other[j] ? 0 : 1
                var best = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + cost)
                if i > 0, j > 0, one[i] == other[j - 1], one[i - 1] == other[j] {
                    best = min(best, rows[i - 1][j - 1] + 1)
                }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[one.count][other.count]
    }
}
