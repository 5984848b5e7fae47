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
    /// The file for messages: its path, or its name and that it is built in.
    let description: String

    /// A file of a folder.
    init(path: String) {
        place = .path(path)
        description = path
    }

    /// A file that is embedded in the program; nil if there is none of this path.
    ///
    /// - Parameter path: the path in the repository: `Config/simulator.yaml`.
    init?(embedded path: String) {
        guard let file = embedded_file(path) else { return nil }
        place = .embedded(file.pointee)
        description = "\(path.split(separator: "/").last ?? "") (built in)"
    }

    /// The file's content. A file of a folder is read each time.
    func content(byteCountMax: Int = YAMLMapping.byteCountMax) throws -> [UInt8] {
        switch place {
        case .path(let path): try File.readRegular(path, byteCountMax: byteCountMax)
        case .embedded(let file): Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
        }
    }
}
