internal import COpenSSL
public import Values

/// AES in Galois/counter mode (NIST SP 800-38D) with a tag of 16 bytes. The key's length selects AES-128 or AES-256.
public enum AESGCM {
    /// The size of the tag in bytes.
    public static let tagByteCount = 16

    /// Decrypts a ciphertext with its tag. Returns the plaintext only if the tag matches.
    ///
    /// - Parameters:
    ///   - sealed: the ciphertext followed by 16 bytes of tag.
    ///   - key: 16 or 32 bytes.
    ///   - iv: the initialization vector, at least 1 byte; any length other than 12 is hashed with GHASH (SP 800-38D
    ///     §7.1 step 2).
    ///   - associatedData: bytes that are authenticated with the ciphertext; empty by default.
    /// - Throws: `notAuthentic` if the tag does not match or `sealed` is shorter than a tag.
    public static func open(
        _ sealed: [UInt8], key: SecretBytes, iv: [UInt8], associatedData: [UInt8] = []
    ) throws(OpenSSLError) -> SecretBytes {
        guard sealed.count >= tagByteCount else { throw .notAuthentic }
        let context = try CipherContext()
        try context.start(key: key, iv: iv, encrypting: false)
        try context.authenticate(associatedData)
        let length = sealed.count - tagByteCount
        return try SecretBytes(count: length) { (plaintext) throws(OpenSSLError) in
            try sealed.withUnsafeBufferPointer { (buffer) throws(OpenSSLError) in
                let sealed = UnsafeRawBufferPointer(buffer)
                try context.update(UnsafeRawBufferPointer(rebasing: sealed[..<length]), into: plaintext)
                try context.finish(expectingTag: UnsafeRawBufferPointer(rebasing: sealed[length...]))
            }
        }
    }

    /// Encrypts `plaintext` and appends the tag. A pair of key and IV must never encrypt two plaintexts.
    ///
    /// - Parameters:
    ///   - key: 16 or 32 bytes.
    ///   - iv: the initialization vector, at least 1 byte.
    public static func seal(
        _ plaintext: UnsafeRawBufferPointer, key: SecretBytes, iv: [UInt8], associatedData: [UInt8] = []
    ) throws(OpenSSLError) -> [UInt8] {
        let context = try CipherContext()
        try context.start(key: key, iv: iv, encrypting: true)
        try context.authenticate(associatedData)
        var sealed = [UInt8](repeating: 0, count: plaintext.count + tagByteCount)
        try sealed.withUnsafeMutableBufferPointer { (buffer) throws(OpenSSLError) in
            let sealed = UnsafeMutableRawBufferPointer(buffer)
            try context.update(plaintext, into: sealed)
            try context.finish(writingTag: UnsafeMutableRawBufferPointer(rebasing: sealed[plaintext.count...]))
        }
        return sealed
    }
}

/// The sole owner of one `EVP_CIPHER_CTX`.
private struct CipherContext: ~Copyable {
    private let context: OpaquePointer  // EVP_CIPHER_CTX *

    init() throws(OpenSSLError) {
        context = try checked(EVP_CIPHER_CTX_new(), "EVP_CIPHER_CTX_new")
    }
    deinit { EVP_CIPHER_CTX_free(context) }

    func start(key: SecretBytes, iv: [UInt8], encrypting: Bool) throws(OpenSSLError) {
        precondition(key.count == 16 || key.count == 32, "AES-128 or AES-256")
        precondition(!iv.isEmpty && iv.count <= 128, "an IV has 1 to 128 bytes here")
        let cipher = key.count == 16 ? Algorithm.aes128GCM : Algorithm.aes256GCM
        let direction: Int32 = encrypting ? 1 : 0
        try check(EVP_CipherInit_ex(context, cipher, nil, nil, nil, direction) == 1, "EVP_CipherInit_ex")
        try check(
            EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, Int32(iv.count), nil) == 1, "EVP_CTRL_AEAD_SET_IVLEN")
        let keyed = key.withUnsafeBytes { key in
            EVP_CipherInit_ex(
                context, nil, nil, key.assumingMemoryBound(to: UInt8.self).baseAddress, iv, direction)
        }
        try check(keyed == 1, "EVP_CipherInit_ex")
    }

    func authenticate(_ associatedData: [UInt8]) throws(OpenSSLError) {
        guard !associatedData.isEmpty else { return }
        var written: Int32 = 0
        let done = EVP_CipherUpdate(context, nil, &written, associatedData, Int32(associatedData.count))
        try check(done == 1, "EVP_CipherUpdate")
    }

    func update(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) throws(OpenSSLError) {
        precondition(output.count >= input.count && input.count <= Int(Int32.max), "a stream cipher keeps the length")
        guard !input.isEmpty else { return }
        var written: Int32 = 0
        let done = EVP_CipherUpdate(
            context, output.assumingMemoryBound(to: UInt8.self).baseAddress, &written,
            input.assumingMemoryBound(to: UInt8.self).baseAddress, Int32(input.count))
        try check(done == 1 && Int(written) == input.count, "EVP_CipherUpdate")
    }

    func finish(expectingTag tag: UnsafeRawBufferPointer) throws(OpenSSLError) {
        let given = EVP_CIPHER_CTX_ctrl(
            context, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), UnsafeMutableRawPointer(mutating: tag.baseAddress))
        try check(given == 1, "EVP_CTRL_AEAD_SET_TAG")
        var block = [UInt8](repeating: 0, count: 16)
        var written: Int32 = 0
        guard EVP_CipherFinal_ex(context, &block, &written) == 1 else {
            ERR_clear_error()
            throw .notAuthentic
        }
    }

    func finish(writingTag tag: UnsafeMutableRawBufferPointer) throws(OpenSSLError) {
        var block = [UInt8](repeating: 0, count: 16)
        var written: Int32 = 0
        try check(EVP_CipherFinal_ex(context, &block, &written) == 1, "EVP_CipherFinal_ex")
        let taken = EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tag.count), tag.baseAddress)
        try check(taken == 1, "EVP_CTRL_AEAD_GET_TAG")
    }
}
