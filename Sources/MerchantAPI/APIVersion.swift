/// The version of the API, from a request's path.
struct APIVersion: Equatable, Sendable {
    /// The number, from 1 to the latest version.
    let number: Int

    /// The version as it appears in paths and replies.
    var text: String { String(number) }
}
