internal import CLibXML2
internal import Glibc

/// libxml2's global state in this process.
enum LibXML2 {
    /// True after libxml2 has been initialized, which the first access does.
    ///
    /// It is given memory functions that wipe each block before it is freed, because its buffers contain clients' data,
    /// including card data.
    static let isReady: Bool = {
        let isAccepted =
            xmlMemSetup({ wipeAndFree($0) }, { malloc($0) }, { wipingRealloc($0, $1) }, { $0.flatMap { strdup($0) } })
            == 0
        xmlInitParser()
        return isAccepted
    }()

    private static func wipeAndFree(_ block: UnsafeMutableRawPointer?) {
        guard let block else { return }
        explicit_bzero(block, malloc_usable_size(block))
        free(block)
    }

    private static func wipingRealloc(_ block: UnsafeMutableRawPointer?, _ count: Int) -> UnsafeMutableRawPointer? {
        guard let block else { return malloc(count) }
        guard let larger = malloc(count) else { return nil }
        memcpy(larger, block, min(count, malloc_usable_size(block)))
        wipeAndFree(block)
        return larger
    }
}
