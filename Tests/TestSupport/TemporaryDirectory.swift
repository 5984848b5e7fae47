internal import Foundation

/// A directory of its own, empty at first.
public struct TemporaryDirectory: Sendable {
    /// Its path, without a slash at its end.
    public let path = NSTemporaryDirectory() + "tollgate-" + UUID().uuidString

    /// Makes it.
    public init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false) }

    /// Deletes it with all that is in it.
    public func remove() { try? FileManager.default.removeItem(atPath: path) }
}
