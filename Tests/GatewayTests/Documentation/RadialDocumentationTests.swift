import Foundation
import JSON
import Testing

/// Radial's API of the built program, as its page and `openapi.yaml` have it.
struct RadialDocumentationTests {
    /// The page on it.
    private static func page() throws -> String {
        let path = BuiltProgram.repository + "/Sources/tollgate/Tollgate.docc/Radial-API.md"
        return try String(contentsOfFile: path, encoding: .utf8)
    }

    /// The commands of a page: its blocks of code without a language.
    private static func commands(_ page: String) -> String {
        var isCode = false
        var isCommand = false
        var lines: [Substring] = []
        for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                isCode.toggle()
                isCommand = isCode && line == "```"
            } else if isCommand {
                lines.append(line)
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    @Test func `the commands of the page do what it says`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        let program = try BuiltProgram.path()
        var script = Self.commands(try Self.page())
        #expect(
            script.contains("127.0.0.1:8080") && script.contains(".tollgate/") && script.contains("tollgate token mint")
        )
        script = script.replacing("127.0.0.1:8080", with: "127.0.0.1:\(gateway.port)")
            .replacing(".tollgate/", with: folder.data + "/")
            .replacing("tollgate token mint", with: "\(program) token mint --data \(folder.data)")
            .replacing("Config/", with: BuiltProgram.repository + "/Config/")
        let shell = try ChildProcess(
            "/bin/bash", ["-e", "-o", "pipefail", "-c", script], errors: "\(folder.path)/shell-errors")
        let output = String(decoding: try shell.outputToEnd(), as: UTF8.self)
        let ending = try shell.wait()
        let errors = try folder.text("shell-errors")
        #expect(ending == .exited(0), "\(errors)")

        func count(_ text: String) -> Int { output.ranges(of: text).count }
        #expect(count("<?xml") == 10 && count("<Fault") == 0, "\(output)")
        #expect(count("<ResponseCode>APPROVED</ResponseCode>") == 4)
        #expect(count("<FundsAvailable>Success</FundsAvailable>") == 1)
        #expect(count("<PaymentSettlementReply") == 2)
        #expect(count("<PaymentAuthCancelReply") == 1)
        #expect(count("<ResponseCode>Success</ResponseCode>") == 3)
        #expect(count("<ResponseCode>DECL</ResponseCode>") == 1)
        #expect(count("<ResponseCode>TIMEOUT</ResponseCode>") == 1)
        let replies = output.split(separator: "<?xml")
        #expect(replies.count > 2 && replies[replies.count - 1] == replies[replies.count - 2])
        #expect(errors.contains("- validates"))

        #expect(try Self.status(of: "radial-1", gateway) == "REFUNDED")
        #expect(try Self.status(of: "radial-2", gateway) == "CANCELLED")
        #expect(try Self.status(of: "radial-3", gateway) == "FAILED")
    }

    @Test func `the examples of openapi_yaml work, one after the other, against a fresh sandbox`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let gateway = try RunningGateway(in: folder)
        defer { gateway.kill() }
        let description = try OpenAPIDescription.ofRepository.get()
        var names: [String] = []
        for id in [
            "creditCardAuth", "paymentAuthCancel", "confirmFunds", "paymentSettlement", "protectPan",
            "protectPanOfTender", "tenderTypeLookup",
        ] {
            let operation = try #require(description.operations.first { $0.id == id })
            let path = operation.path.replacing("{storeId}", with: "TESTMERCHANT").replacing("{tender}", with: "VC")
            guard case .object(let examples) = operation.content["requestBody"]?["content"]?["text/xml"]?["examples"]
            else {
                Issue.record("\(id) has no examples")
                continue
            }
            // Their requestIds are numbered in the order in which they follow each other.
            let ordered = examples.sorted { ($0.value["value"]?.text ?? "") < ($1.value["value"]?.text ?? "") }
            for (name, example) in ordered {
                let reply = try gateway.radial(path, try #require(example["value"]?.text))
                #expect(reply.status == 200, "\(name): \(reply.text)")
                names.append(name)
            }
        }
        #expect(
            names.sorted() == [
                "approved", "cancel", "confirm", "credit", "debit", "declined", "forCancel", "lookup", "protect",
                "protect",
            ])
        #expect(try Self.status(of: "radial-1", gateway) == "REFUNDED")
    }

    @Test func `a token is printed as the element of Radial's requests`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        try folder.makeKeys()
        let result = try folder.run([
            "token", "mint", "--data", folder.data, "--amount", "1.00", "--currency", "USD", "--format", "radial",
        ])
        #expect(result.status == 0)
        #expect(result.text.hasPrefix("<WalletPaymentInformation>\n  <ApplePayTransactionId>"))
        #expect(result.text.hasSuffix("</Signature>\n</WalletPaymentInformation>\n"))
        for (further, fault) in [
            (["--version", "RSA_v1"], "RSA_v1"), (["--application-data", "x"], "applicationData"),
            (["--request", "PAY"], "--request"), (["--sub-merchant"], "sub-merchant"),
        ] {
            let refused = try folder.run(
                ["token", "mint", "--data", folder.data, "--amount", "1.00", "--currency", "USD", "--format", "radial"]
                    + further)
            #expect(refused.status == 64 && refused.errors.contains(fault), "\(refused.errors)")
        }
    }

    private static func status(of order: String, _ gateway: RunningGateway) throws -> String? {
        try gateway.send("GET", TransactionPath(order: order).ofOrder)["status"]
    }
}

extension RunningGateway {
    /// Sends a document to Radial's API.
    fileprivate func radial(_ path: String, _ document: String) throws -> HTTPReply {
        let fields = "apikey: \(credentials.password)\r\nContent-Type: text/xml\r\n"
        return try send("POST", path, Array(document.utf8), fields: fields)
    }
}
