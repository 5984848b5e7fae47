import ArgumentParser
import HTTP
import HTTPClient
import HTTPTypes
import JSON
import OperationsAPI

/// `tollgate ready`: asks a gateway whether it is ready, as a container's health check does.
struct ReadyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ready",
        abstract:
            "Ask a running gateway whether it is ready; exits with 0 if it is, otherwise with 1 and a line that says why."
    )

    @Option(help: ArgumentHelp("The gateway's data directory (default: .tollgate).", valueName: "folder"))
    var data: String?

    @Option(help: ArgumentHelp("Its operations listener, in place of the one that it wrote there.", valueName: "url"))
    var url: String?

    @Option(help: ArgumentHelp("How long to wait for the answer, up to 3600.", valueName: "seconds"))
    var timeout = 2.0

    func validate() throws {
        guard timeout > 0, timeout <= 3600 else {
            throw ValidationError("--timeout: more than 0 and up to 3600 seconds")
        }
    }

    func run() throws {
        do throws(Failure) {
            try ask()
        } catch {
            StandardError.writeLine("not ready: \(error)")
            throw ExitCode(1)
        }
        StandardOutput.writeLine("ready")
    }

    private func ask() throws(Failure) {
        let target: HTTPRequest
        var instance: String?
        if let url {
            target = try Self.target(url)
        } else {
            (target, instance) = try Self.written(in: data ?? DataDirectory.defaultPath)
        }
        let origin = Origin(target).map { "\($0)" } ?? ""
        let reply: Response
        do throws(HTTPClientError) {
            reply = try HTTPClient(timeout: .seconds(timeout)).response(to: Request(head: target))
        } catch {
            throw Failure("\(origin): \(error)")
        }
        let content = try? JSONValue(parsing: reply.body)
        // After a gateway has ended, another process may have got its port.
        if let instance, Self.text(content, OperationsAPI.instanceMember) != instance {
            throw Failure("the gateway of this data directory is gone: something else answers at \(origin)")
        }
        guard reply.head.status != .ok else { return }
        throw Failure(Self.text(content, "reason") ?? "\(origin) answers with status \(reply.head.status.code)")
    }

    /// Parses `http://host:port` with or without a path; an IPv6 address is in brackets.
    private static func target(_ url: String) throws(Failure) -> HTTPRequest {
        let scheme = "http://"
        let rest = url.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" }
        let path = rest[authority.endIndex...]
        let target = HTTPRequest(
            method: .get, scheme: "http", authority: String(authority),
            path: path.count > 1 ? String(path) : OperationsAPI.readinessPath)
        guard url.hasPrefix(scheme), Origin(target) != nil, path.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw Failure("\(url): http://host:port is wanted")
        }
        return target
    }

    private static func text(_ content: JSONValue?, _ member: String) -> String? {
        if case .string(let text)? = content?[member] { text } else { nil }
    }

    /// The address and the instance that a gateway wrote into its data directory when it started listening.
    private static func written(in folder: String) throws(Failure) -> (HTTPRequest, instance: String) {
        let path = folder + "/" + DataDirectory.operationsName
        guard let bytes = try? File.readRegular(path, byteCountMax: 1024) else {
            throw Failure("no gateway runs on \(folder): there is no \(path) to read")
        }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        guard lines.count == 2 else { throw Failure("\(path): not what a gateway writes") }
        return (try target(String(lines[0])), String(lines[1]))
    }
}
