import Testing

@testable import tollgate

/// Which known word a mistyped one was meant to be.
struct SuggestionTests {
    @Test(arguments: [
        ("serve", "serve", 0), ("srve", "serve", 1), ("esrve", "serve", 1), ("sevre", "serve", 1),
        ("servee", "serve", 1),
        ("ca", "abc", 3), ("", "abc", 3), ("abc", "", 3), ("prt", "url", 2),
    ])
    func `typing errors are counted`(one: String, other: String, distance: Int) {
        #expect(Suggestion.distance(one, other) == distance)
    }

    @Test(arguments: [("prt", ["url"]), ("x", ["y"]), ("serve", ["backup", "token"]), ("", ["a"])])
    func `nothing is suggested that has little in common`(word: String, known: [String]) {
        #expect(Suggestion.closest(to: word, among: known) == nil)
    }
}
