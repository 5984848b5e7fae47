import JSON
import Testing

/// What only a mistake of our own can ask for stops the program instead of going on with it.
struct PreconditionTests {
    @Test func `limits lie within their ceilings`() async {
        await #expect(processExitsWith: .failure) { _ = JSONLimits(bytesMax: JSONLimits.bytesCeiling + 1) }
        await #expect(processExitsWith: .failure) { _ = JSONLimits(bytesMax: -1) }
        await #expect(processExitsWith: .failure) { _ = JSONLimits(depthMax: JSONLimits.depthCeiling + 1) }
        await #expect(processExitsWith: .failure) { _ = JSONLimits(valuesMax: 0) }
    }

    @Test func `no name stands twice in an object that is built`() async {
        await #expect(processExitsWith: .failure) { _ = ["a": 1, "b": 2, "a": 3] as JSONObject }
    }
}
