/// A version of the API that a request's path names and its reply repeats.
struct APIVersion: Equatable, Sendable {
    /// From 1 to the latest.
    let number: Int

    /// As paths and replies write it.
    var text: String { String(number) }
}
