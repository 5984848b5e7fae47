import Assets

/// `@unchecked Sendable`: it points to constants of the program.
extension EmbeddedFile: @retroactive @unchecked Sendable {}

/// A file of the configuration: in a folder, or embedded in the program.
struct ConfigurationFile: CustomStringConvertible {
    private enum Place {
        case path(String)
        case embedded(EmbeddedFile)
    }

    private let place: Place
    /// The file's name for messages: its path, or for an embedded file its name and a note.
    let description: String

    /// Creates a reference to a file in a folder.
    init(path: String) {
        place = .path(path)
        description = path
    }

    /// Finds a file that is embedded in the program; nil if there is none with this path.
    ///
    /// - Parameter path: the path in the repository: `Config/simulator.yaml`.
    init?(embedded path: String) {
        guard let file = embedded_file(path) else { return nil }
        place = .embedded(file.pointee)
        description = "\(path.split(separator: "/").last ?? "") (built in)"
    }

    /// The file's content. A file in a folder is read at each call.
    func content(byteCountMax: Int = YAMLMapping.byteCountMax) throws -> [UInt8] {
        switch place {
        case .path(let path): try File.readRegular(path, byteCountMax: byteCountMax)
        case .embedded(let file): Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
        }
    }
}
