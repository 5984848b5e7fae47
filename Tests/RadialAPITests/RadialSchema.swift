import Foundation
import HTTP
import HTTPTypes
import TestSupport
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
        let command = try FinishedCommand(
            try #require(program), ["--noout", "--nonet", "--schema", file, "-"], input: document)
        return command.status == 0 ? nil : command.errorText
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
