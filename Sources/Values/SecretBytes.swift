internal import Glibc

/// Bytes that must not outlive their use: keys, shared secrets, account numbers, cryptograms.
///
/// They are stored outside Swift's own collections, so that no hidden copies are made. They are wiped with
/// `explicit_bzero` with the last reference, compared in constant time, and masked when printed.
///
/// `@unchecked Sendable` is safe: the bytes are never changed after `init`.
public final class SecretBytes: @unchecked Sendable {
    @usableFromInline let storage: UnsafeMutableRawBufferPointer

    /// Allocates `count` zeroed bytes and calls `fill` to write them. If `fill` throws, they are wiped and the error is
    /// rethrown.
    public init<Failure: Error>(
        count: Int, fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        precondition(count >= 0, "a count of bytes")
        storage = .allocate(byteCount: count, alignment: 1)
        storage.initializeMemory(as: UInt8.self, repeating: 0)
        try fill(storage)
    }

    /// Copies `bytes`. The caller must wipe the original.
    public init(copying bytes: UnsafeRawBufferPointer) {
        storage = .allocate(byteCount: bytes.count, alignment: 1)
        storage.copyMemory(from: bytes)
    }

    /// Copies `bytes`, for keys that come from a file or a generator.
    public convenience init(_ bytes: [UInt8]) {
        self.init(count: bytes.count) { $0.copyBytes(from: bytes) }
    }

    deinit {
        if let start = storage.baseAddress { explicit_bzero(start, storage.count) }
        storage.deallocate()
    }

    /// The number of bytes.
    public var count: Int { storage.count }

    /// Calls the body with the bytes, which are valid only during the call.
    @inlinable
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // A pointer does not prevent the bytes from being wiped.
        try withExtendedLifetime(self) { (secret) throws(Failure) in
            try body(UnsafeRawBufferPointer(secret.storage))
        }
    }
}

extension SecretBytes: Equatable {
    /// Compares in constant time for secrets of the same length.
    public static func == (one: SecretBytes, other: SecretBytes) -> Bool {
        guard one.count == other.count else { return false }
        var difference: UInt8 = 0
        for index in 0..<one.count { difference |= one.storage[index] ^ other.storage[index] }
        return difference == 0
    }
}

extension SecretBytes: CustomStringConvertible, CustomReflectable {
    /// The number of bytes, never the content.
    public var description: String { "secret (\(count) bytes)" }
    /// Shows only the number of bytes to `dump`.
    public var customMirror: Mirror { Mirror(self, children: ["count": count]) }
}
