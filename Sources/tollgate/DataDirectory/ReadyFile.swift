import Glibc
import JSON

/// `gateway.json` in the data directory: the addresses of the gateway that runs on it. Private to its owner; exists from
/// the start of the first listener until the gateway stops.
///
/// | Member | Content |
/// |---|---|
/// | `url` | the merchants' APIs, without a path |
/// | `controlURL` | the control API, `…/_tollgate/`; absent if there is none |
/// | `operationsURL` | health and metrics, without a path |
/// | `pid` | the process |
/// | `instance` | the identifier of the gateway's run, which `/health/ready` repeats |
/// | `merchant` | the sandbox merchant; absent if there is none |
struct ReadyFile {
    let url: String
    let controlURL: String?
    let operationsURL: String
    let instance: String
    let merchant: String?

    /// The file's name.
    static let name = "gateway.json"
    private static let byteCountMax = 4096

    /// Writes the file.
    func write(to directory: DataDirectory) throws {
        var members: JSONObject = [
            "url": .string(url), "operationsURL": .string(operationsURL), "pid": .number(JSONNumber(Int64(getpid()))),
            "instance": .string(instance),
        ]
        members["controlURL"] = controlURL.map(JSONValue.string)
        members["merchant"] = merchant.map(JSONValue.string)
        let text = String(decoding: JSONValue.object(members).serialized(), as: UTF8.self) + "\n"
        try File.writePrivate(directory.readyPath, text, isSynced: false)
    }

    /// Reads the address of the operations listener, and the identifier of the gateway's run.
    static func operations(in folder: String) throws(Failure) -> (url: String, instance: String) {
        let path = "\(folder)/\(name)"
        guard let bytes = try? File.readRegular(path, byteCountMax: byteCountMax) else {
            throw Failure("no gateway runs on \(folder): there is no \(path) to read")
        }
        let content = try? JSONValue(parsing: bytes)
        guard case .string(let url)? = content?["operationsURL"], case .string(let instance)? = content?["instance"]
        else { throw Failure("\(path): not what a gateway writes") }
        return (url, instance)
    }
}
