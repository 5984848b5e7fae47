@testable import Access
import Testing

/// In which order passwords are judged that only a derivation decides.
struct PasswordLineTests {
    @Test(arguments: 0..<4)
    func `one who comes among wrong passwords from many addresses is judged after two at most`(turnsBefore: Int) {
        var line = PasswordLine<String>(waitingMax: 32, waitingMaxOfPeer: 4)
        for number in 0..<40 { _ = line.enter("wrong \(number)", of: "192.0.2.\(1 + number % 10)") }
        for _ in 0..<turnsBefore { line.next().map { line.finish($0, isWrong: true) } }
        #expect(line.enter("right", of: "192.0.2.99").place == .first)
        var judgedBefore = 0
        while let attempt = line.next(), attempt != "right" {
            line.finish(attempt, isWrong: true)
            judgedBefore += 1
        }
        #expect(judgedBefore <= 2)
    }

    @Test func `one who comes when as many wait as may is let in for one of the others`() {
        var line = PasswordLine<String>(waitingMax: 4, waitingMaxOfPeer: 4)
        for number in 0..<4 { #expect(line.enter("wrong \(number)", of: "192.0.2.1").place == .first) }
        let (place, displaced) = line.enter("right", of: "192.0.2.99")
        #expect(place == .first)
        #expect(displaced?.hasPrefix("wrong") == true)
        #expect(line.enter("wrong 4", of: "192.0.2.1").place == .none)
    }
}
