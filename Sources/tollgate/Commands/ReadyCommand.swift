import ArgumentParser
import Glibc
import HTTP
import HTTPClient
import HTTPTypes
import JSON
import OperationsAPI

/// `tollgate ready`: queries whether a gateway is ready, as a container's health check does.
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

    @Option(
        help: ArgumentHelp("How long to retry until the gateway is ready, up to 3600.", valueName: "seconds"))
    var wait = 0.0

    func validate() throws {
        guard timeout > 0, timeout <= 3600 else {
            throw ValidationError("--timeout: more than 0 and up to 3600 seconds")
        }
        guard wait >= 0, wait <= 3600 else { throw ValidationError("--wait: 0 to 3600 seconds") }
    }

    func run() throws {
        let end = ContinuousClock.now + .seconds(wait)
        while let failure = failure() {
            guard ContinuousClock.now + Self.pause < end else {
                StandardError.writeLine("not ready: \(failure)")
                throw ExitCode(1)
            }
            usleep(UInt32(Self.pause / .microseconds(1)))
        }
        StandardOutput.writeLine("ready")
    }

    /// The pause between two queries.
    private static let pause = Duration.milliseconds(100)

    private func failure() -> Failure? {
        do throws(Failure) { try ask() } catch { return error }
        return nil
    }

    private func ask() throws(Failure) {
        let target: HTTPRequest
        var instance: String?
        if let url {
            target = try Self.target(url)
        } else {
            let written = try ReadyFile.operations(in: data ?? DataDirectory.defaultPath)
            (target, instance) = (try Self.target(written.url), written.instance)
        }
        let origin = Origin(target).map { "\($0)" } ?? ""
        let reply: Response
        do throws(HTTPClientError) {
            reply = try HTTPClient(timeout: .seconds(timeout)).response(to: Request(head: target))
        } catch {
            throw Failure("\(origin): \(error)")
        }
        let content = try? JSONValue(parsing: reply.body)
        // If the gateway has ended, another process may listen on its port.
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
            throw Failure("\(url): expected http://host:port")
        }
        return target
    }

    private static func text(_ content: JSONValue?, _ member: String) -> String? {
        if case .string(let text)? = content?[member] { text } else { nil }
    }
}
