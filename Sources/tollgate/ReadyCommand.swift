import ArgumentParser
import Glibc
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
        let target: ProbeTarget
        var instance: String?
        if let url {
            target = try ProbeTarget(url, path: OperationsAPI.readinessPath)
        } else {
            (target, instance) = try Self.written(in: data ?? DataDirectory.defaultPath)
        }
        let reply = try target.get(withinSeconds: timeout)
        let content = try? JSONValue(parsing: reply.content)
        // After a gateway has ended, another process may have got its port.
        if let instance, Self.text(content, OperationsAPI.instanceMember) != instance {
            throw Failure("the gateway of this data directory is gone: something else answers at \(target)")
        }
        guard reply.status != 200 else { return }
        throw Failure(Self.text(content, "reason") ?? "\(target) answers with status \(reply.status)")
    }

    private static func text(_ content: JSONValue?, _ member: String) -> String? {
        if case .string(let text)? = content?[member] { text } else { nil }
    }

    /// The address and the instance that a gateway wrote into its data directory when it started listening.
    private static func written(in folder: String) throws(Failure) -> (ProbeTarget, instance: String) {
        let path = folder + "/" + DataDirectory.operationsName
        guard let bytes = try? File.readRegular(path, byteCountMax: 1024) else {
            throw Failure("no gateway runs on \(folder): there is no \(path) to read")
        }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        guard lines.count == 2 else { throw Failure("\(path): not what a gateway writes") }
        return (try ProbeTarget(String(lines[0]), path: OperationsAPI.readinessPath), String(lines[1]))
    }
}
