import Foundation
import OpenSSL
import Testing

/// The files of the repository, and their places.
struct RepositoryTests {
    @Test(.enabled(if: Repository.trackedFiles != nil, "not a checkout of git"))
    func `the top level holds nothing but what belongs there`() throws {
        let places = Set(try #require(Repository.trackedFiles).compactMap { $0.split(separator: "/").first })
        let known: Set<Substring> = [
            "Package.swift", "Sources", "Tests", "Config", "Deploy", "Dockerfile", "openapi.yaml", "README.md",
        ]
        #expect(places.filter { !$0.hasPrefix(".") }.subtracting(known).isEmpty)
        #expect(places.isSuperset(of: known))
    }

    @Test(.enabled(if: Repository.trackedFiles != nil, "not a checkout of git"))
    func `neither private keys nor what is made by building are tracked`() throws {
        // A block with content: source may well name the line with which one begins.
        let privateKey = /-----BEGIN [A-Z ]*PRIVATE KEY-----\s+(?:[A-Za-z-]+:[^\n]*\n)*\s*[A-Za-z0-9+\/=]{32}/
        #expect("-----BEGIN EC PRIVATE KEY-----\n\(String(repeating: "A", count: 64))\n".contains(privateKey))
        for path in try #require(Repository.trackedFiles) {
            let name = path.split(separator: "/").last ?? ""
            #expect(name != "Package.resolved" && !path.hasPrefix(".build"), "\(path)")
            #expect(![".sqlite", ".sqlite-wal", ".key", ".p12", ".pfx"].contains { name.hasSuffix($0) }, "\(path)")
            let bytes = (try? Data(contentsOf: Repository.folder.appendingPathComponent(path))) ?? Data()
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(!text.contains(privateKey), "\(path)")
            #expect(EncodedPrivateKey.words(in: text).isEmpty, "\(path)")
        }
    }

    @Test func `the shipped root is Apple Root CA - G3`() throws {
        let pem = try Repository.text("Config/trust/AppleRootCA-G3.pem")
        let root = try Certificate(pem: Array(pem.utf8))
        let fingerprint = root.fingerprint.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        #expect(fingerprint == "63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179")
        #expect(root.commonName == "Apple Root CA - G3")
        #expect(pem.split(separator: "BEGIN CERTIFICATE").count == 2)
    }

    @Test func `the map of the README names every target`() throws {
        let readme = try Repository.text("README.md")
        for target in try Repository.targets() {
            #expect(readme.contains("`Sources/\(target)`") || readme.contains("`\(target)`"), "\(target)")
        }
    }

    @Test func `the map of the README names nothing that is not there`() throws {
        let readme = try Repository.text("README.md")
        let targets = try Set(Repository.targets())
        for match in readme.matches(of: /`Sources\/([A-Za-z0-9-]+)[`\/]/) {
            #expect(targets.contains(String(match.1)), "\(match.0)")
        }
    }

    @Test func `a script can be run`() throws {
        for name in ["Deploy/browser", "Deploy/clients", "Deploy/run", "Deploy/sanitize", "Deploy/test", ".ci/run"] {
            let path = Repository.folder.appendingPathComponent(name).path
            #expect(FileManager.default.isExecutableFile(atPath: path), "\(name)")
            #expect(try Repository.text(name).hasPrefix("#!"), "\(name)")
        }
    }
}
