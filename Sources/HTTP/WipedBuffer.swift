import Glibc

/// Bytes of a request, which may contain card data and passwords. They are overwritten with zeros when they are
/// removed, when the buffer moves to a larger block, and when it is freed.
///
/// It has value semantics: copies share one block until one of them changes.
public struct WipedBuffer: Sendable {
    /// The sole owner of one block of memory.
    ///
    /// `@unchecked Sendable` is safe: a block is changed only by the single buffer that references it.
    private final class Block: @unchecked Sendable {
        let start: UnsafeMutableRawPointer
        let capacity: Int
        var count: Int

        init(capacity: Int, copying bytes: UnsafeRawBufferPointer) {
            start = .allocate(byteCount: capacity, alignment: 1)
            self.capacity = capacity
            count = bytes.count
            UnsafeMutableRawBufferPointer(start: start, count: capacity).copyMemory(from: bytes)
        }

        deinit {
            explicit_bzero(start, count)
            start.deallocate()
        }

        var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }
    }

    private static let capacityMin = 1024

    private var block: Block?

    /// Creates an empty buffer.
    public init() {}

    /// Creates a buffer with a copy of the bytes. The caller must wipe the original.
    public init(_ bytes: [UInt8]) { bytes.withUnsafeBytes { append($0) } }

    /// Creates a buffer with a copy of the bytes. The caller must wipe the original.
    init(_ bytes: Span<UInt8>) { append(bytes) }

    /// The number of bytes.
    public var count: Int { block?.count ?? 0 }

    /// Whether the buffer is empty.
    public var isEmpty: Bool { count == 0 }

    /// The number of bytes that fit without a larger block.
    package var capacity: Int { block?.capacity ?? 0 }

    /// Calls the body with the bytes, which are valid only during the call.
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withExtendedLifetime(block) { (block) throws(Failure) in
            try body(block?.bytes ?? UnsafeRawBufferPointer(start: nil, count: 0))
        }
    }

    /// Calls the body with a range of the bytes, which are valid only during the call.
    package func withSpan<Result, Failure: Error>(
        _ range: Range<Int>, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withUnsafeBytes { (bytes) throws(Failure) in
            try body(UnsafeRawBufferPointer(rebasing: bytes[range]).bindMemory(to: UInt8.self).span)
        }
    }

    /// The byte at a position, which must be less than the count.
    package subscript(index: Int) -> UInt8 { withUnsafeBytes { $0[index] } }

    /// The first position of `byte` in a range.
    package func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
        withSpan(0..<count) { $0.firstIndex(of: byte, in: range) }
    }

    // MARK: Changes

    /// Appends bytes.
    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard !bytes.isEmpty else { return }
        let needed = count + bytes.count
        if !isKnownUniquelyReferenced(&block) || needed > capacity {
            let isGrowing = needed > capacity
            let larger = withUnsafeBytes {
                Block(capacity: isGrowing ? max(needed, 2 * capacity, Self.capacityMin) : capacity, copying: $0)
            }
            block = larger
        }
        guard let block else { return }
        UnsafeMutableRawBufferPointer(start: block.start + block.count, count: bytes.count).copyMemory(from: bytes)
        block.count = needed
    }

    /// Appends bytes.
    package mutating func append(_ bytes: Span<UInt8>) {
        bytes.withUnsafeBufferPointer { append(UnsafeRawBufferPointer($0)) }
    }

    /// Appends some of another buffer's bytes.
    package mutating func append(_ other: WipedBuffer, _ range: Range<Int>) {
        other.withUnsafeBytes { append(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    /// Removes the first bytes.
    package mutating func removeFirst(_ removed: Int) {
        precondition((0...count).contains(removed), "no more can be dropped than there was")
        guard removed > 0 else { return }
        let kept = count - removed
        guard isKnownUniquelyReferenced(&block), let block else {
            block = withUnsafeBytes {
                Block(capacity: capacity, copying: UnsafeRawBufferPointer(rebasing: $0[removed...]))
            }
            return
        }
        memmove(block.start, block.start + removed, kept)
        explicit_bzero(block.start + kept, removed)
        block.count = kept
    }

    /// Overwrites a range of bytes without removing them.
    package mutating func wipe(_ range: Range<Int>) {
        precondition(range.upperBound <= count, "only what is there can be wiped")
        guard !range.isEmpty, isKnownUniquelyReferenced(&block), let block else { return }
        explicit_bzero(block.start + range.lowerBound, range.count)
    }

    /// Removes all bytes.
    package mutating func removeAll(keepingCapacity: Bool = false) {
        guard keepingCapacity, isKnownUniquelyReferenced(&block), let block else {
            block = nil
            return
        }
        explicit_bzero(block.start, block.count)
        block.count = 0
    }
}

extension WipedBuffer: Equatable {
    /// Whether both buffers contain the same bytes.
    public static func == (one: WipedBuffer, other: WipedBuffer) -> Bool {
        one.withUnsafeBytes { bytes in
            other.withUnsafeBytes { otherBytes in
                guard bytes.count == otherBytes.count else { return false }
                guard let start = bytes.baseAddress, let otherStart = otherBytes.baseAddress else { return true }
                return memcmp(start, otherStart, bytes.count) == 0
            }
        }
    }
}

extension WipedBuffer: CustomStringConvertible, CustomReflectable {
    /// The number of bytes, never the content.
    public var description: String { "\(count) bytes" }
    /// Shows only the number of bytes to `dump`.
    public var customMirror: Mirror { Mirror(self, children: ["count": count]) }
}
