import FuzzSupport

/// Takes one input; libFuzzer links against this name.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    _ = FuzzTarget.signature.accepts(UnsafeRawBufferPointer(start: bytes, count: count))
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
@_cdecl("SignatureFuzzer_main")
public func main(
    _ argumentCount: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
    let corpus = CommandLine.arguments.dropFirst().first { !$0.hasPrefix("-") }
    do { try corpus.map(FuzzTarget.signature.writeSeeds) } catch { return 1 }
    var argumentCount = argumentCount
    var arguments = arguments
    return runDriver(&argumentCount, &arguments, testOneInput)
}
