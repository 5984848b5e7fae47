import FuzzSupport
import Glibc

/// What this run drives: `TOLLGATE_FUZZ_TARGET` names it.
private let target = getenv("TOLLGATE_FUZZ_TARGET").flatMap { FuzzTarget(rawValue: String(cString: $0)) }

/// Takes one input; libFuzzer links against this name.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    _ = target?.accepts(UnsafeRawBufferPointer(start: bytes, count: count))
    return 0
}

/// libFuzzer's driver: parses its options, and calls back with each input.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ argumentCount: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

/// The program's entry: SwiftPM gives it the module's name. The first argument that is no option is the corpus, which
/// gets the seeds of this run.
@_cdecl("Fuzzer_main")
public func main(
    _ argumentCount: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
    guard let target else {
        print("TOLLGATE_FUZZ_TARGET: one of \(FuzzTarget.allCases.map(\.rawValue).joined(separator: ", "))")
        return 1
    }
    let corpus = CommandLine.arguments.dropFirst().first { !$0.hasPrefix("-") }
    do { try corpus.map(target.writeSeeds) } catch { return 1 }
    var argumentCount = argumentCount
    var arguments = arguments
    return runDriver(&argumentCount, &arguments, testOneInput)
}
