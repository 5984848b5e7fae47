import Testing
import XML

struct PreconditionTests {
    @Test func `limits keep to their ceilings`() async {
        await #expect(processExitsWith: .failure) { _ = XMLLimits(bytesMax: XMLLimits.bytesCeiling + 1) }
        await #expect(processExitsWith: .failure) { _ = XMLLimits(depthMax: XMLLimits.depthCeiling + 1) }
        await #expect(processExitsWith: .failure) { _ = XMLLimits(depthMax: 0) }
        await #expect(processExitsWith: .failure) { _ = XMLLimits(attributesMax: 1025) }
        await #expect(processExitsWith: .failure) { _ = XMLLimits(nameBytesMax: 0) }
        await #expect(processExitsWith: .failure) { _ = XMLLimits(namespacesMax: -1) }
    }
}
