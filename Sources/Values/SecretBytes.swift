internal import Glibc

/// Bytes that must not outlive their use: keys, shared secrets, account numbers, cryptograms.
///
/// They lie outside Swift's own collections, so that no copy is made behind our back, are wiped with
/// `explicit_bzero` when the last reference goes, are compared in constant time, and print as a mask.
///
/// `@unchecked Sendable`: never changed after `init`.
public final class SecretBytes: @unchecked Sendable {
    @usableFromInline let storage: UnsafeMutableRawBufferPointer

    /// Allocates `count` bytes, zeroed, and lets `fill` write them; what `fill` throws is passed on after wiping.
    public init<Failure: Error>(
        count: Int, fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        precondition(count >= 0, "a count of bytes")
        storage = .allocate(byteCount: count, alignment: 1)
        storage.initializeMemory(as: UInt8.self, repeating: 0)
        try fill(storage)
    }

    /// A copy of `bytes`, whose wiping stays the caller's duty.
    public init(copying bytes: UnsafeRawBufferPointer) {
        storage = .allocate(byteCount: bytes.count, alignment: 1)
        storage.copyMemory(from: bytes)
    }

    /// A copy of `bytes`, for keys that come from a file or a generator.
    public convenience init(_ bytes: [UInt8]) {
        self.init(count: bytes.count) { $0.copyBytes(from: bytes) }
    }

    deinit {
        if let start = storage.baseAddress { explicit_bzero(start, storage.count) }
        storage.deallocate()
    }

    /// How many bytes there are.
    public var count: Int { storage.count }

    /// Lends the bytes for the length of one call.
    @inlinable
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // A pointer does not keep the bytes from being wiped.
        try withExtendedLifetime(self) { (secret) throws(Failure) in
            try body(UnsafeRawBufferPointer(secret.storage))
        }
    }
}

extension SecretBytes: Equatable {
    /// Takes the same time wherever two secrets of one length differ.
    public static func == (one: SecretBytes, other: SecretBytes) -> Bool {
        guard one.count == other.count else { return false }
        var difference: UInt8 = 0
        for index in 0..<one.count { difference |= one.storage[index] ^ other.storage[index] }
        return difference == 0
    }
}

extension SecretBytes: CustomStringConvertible, CustomReflectable {
    /// The length, never the content.
    public var description: String { "secret (\(count) bytes)" }
    /// What `dump` walks: nothing.
    public var customMirror: Mirror { Mirror(self, children: ["count": count]) }
}
