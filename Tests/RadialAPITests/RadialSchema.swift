import Foundation
import HTTP
import HTTPTypes
import Testing

/// `Config/radial.xsd`, as xmllint reads it.
enum RadialSchema {
    private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Config/radial.xsd").standardizedFileURL.path

    private static let program = ["/usr/bin/xmllint", "/usr/local/bin/xmllint"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    /// Whether xmllint is installed; without it documents are not held to the schema, and its own tests are skipped.
    static let isAvailable = program != nil

    /// What is wrong with a document, in xmllint's words; nil if it is valid.
    static func fault(in document: [UInt8]) throws -> String? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(program))
        process.arguments = ["--noout", "--nonet", "--schema", file, "-"]
        let input = Pipe()
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = FileHandle.nullDevice
        process.standardError = output
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data(document))
        try input.fileHandleForWriting.close()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return process.terminationStatus == 0 ? nil : String(decoding: text, as: UTF8.self)
    }

    /// The same response, once its document was held to the schema.
    static func checked(_ response: Response) -> Response {
        #expect(response.head.headerFields[.contentType] == "text/xml;charset=UTF-8")
        guard isAvailable else { return response }
        do {
            let fault = try fault(in: response.body)
            #expect(fault == nil, "\(String(decoding: response.body, as: UTF8.self))")
        } catch {
            Issue.record(error)
        }
        return response
    }
}
