import Glibc

/// Bytes of a request, which may hold card data and passwords. They are overwritten with zeros as soon as they are dropped,
/// when the buffer moves to a larger block, and when it is freed.
///
/// A value: copies share one block until one of them changes.
public struct WipedBuffer: Sendable {
    /// Sole owner of one block of memory.
    ///
    /// `@unchecked Sendable`: only changed by the one buffer that holds it.
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

    /// No bytes.
    public init() {}

    /// A copy of bytes, whose wiping stays the caller's duty.
    public init(_ bytes: [UInt8]) { bytes.withUnsafeBytes { append($0) } }

    /// A copy of bytes, whose wiping stays the caller's duty.
    init(_ bytes: Span<UInt8>) { append(bytes) }

    /// How many bytes there are.
    public var count: Int { block?.count ?? 0 }

    /// Whether there are none.
    public var isEmpty: Bool { count == 0 }

    /// How many bytes there is room for without another block.
    package var capacity: Int { block?.capacity ?? 0 }

    /// Lends the bytes for the length of one call.
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withExtendedLifetime(block) { (block) throws(Failure) in
            try body(block?.bytes ?? UnsafeRawBufferPointer(start: nil, count: 0))
        }
    }

    /// Lends some of the bytes for the length of one call.
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

    /// Drops the first bytes.
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

    /// Overwrites bytes that stay where they are.
    package mutating func wipe(_ range: Range<Int>) {
        precondition(range.upperBound <= count, "only what is there can be wiped")
        guard !range.isEmpty, isKnownUniquelyReferenced(&block), let block else { return }
        explicit_bzero(block.start + range.lowerBound, range.count)
    }

    /// Drops all bytes.
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
    /// Whether both hold the same bytes.
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
    /// The count, never the content.
    public var description: String { "\(count) bytes" }
    /// What `dump` walks: the same.
    public var customMirror: Mirror { Mirror(self, children: ["count": count]) }
}
