internal import CNghttp2
internal import Glibc

/// Memory functions for nghttp2 that wipe each block before freeing it, because its memory holds request fields,
/// including passwords.
enum WipedMemory {
    static var functions: nghttp2_mem {
        nghttp2_mem(
            mem_user_data: nil, malloc: { count, _ in malloc(count) },
            free: { block, _ in WipedMemory.wipeAndFree(block) },
            calloc: { count, size, _ in calloc(count, size) },
            realloc: { block, count, _ in WipedMemory.wipingRealloc(block, count) })
    }

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
