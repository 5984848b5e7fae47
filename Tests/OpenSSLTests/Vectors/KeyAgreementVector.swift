import Testing

/// A private key on P-256, the other's point, and the secret that they must agree on, or nil if the point is invalid.
struct KeyAgreementVector: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let privateKey: String
    let x: String
    let y: String
    let secret: String?

    init(_ name: String, _ privateKey: String, _ x: String, _ y: String, _ secret: String?) {
        testDescription = name
        self.privateKey = privateKey
        self.x = x
        self.y = y
        self.secret = secret
    }
}

extension KeyAgreementVector {
    /// NIST CAVP, KAS_ECC_CDH_PrimitiveTest.txt, [P-256], COUNT 0 to 3.
    static let primitive: [KeyAgreementVector] = [
        .init(
            "COUNT 0", "7d7dc5f71eb29ddaf80d6214632eeae03d9058af1fb6d22ed80badb62bc1a534",
            "700c48f77f56584c5cc632ca65640db91b6bacce3a4df6b42ce7cc838833d287",
            "db71e509e3fd9b060ddb20ba5c51dcc5948d46fbf640dfe0441782cab85fa4ac",
            "46fc62106420ff012e54a434fbdd2d25ccc5852060561e68040dd7778997bd7b"),
        .init(
            "COUNT 1", "38f65d6dce47676044d58ce5139582d568f64bb16098d179dbab07741dd5caf5",
            "809f04289c64348c01515eb03d5ce7ac1a8cb9498f5caa50197e58d43a86a7ae",
            "b29d84e811197f25eba8f5194092cb6ff440e26d4421011372461f579271cda3",
            "057d636096cb80b67a8c038c890e887d1adfa4195e9b3ce241c8a778c59cda67"),
        .init(
            "COUNT 2", "1accfaf1b97712b85a6f54b148985a1bdc4c9bec0bd258cad4b3d603f49f32c8",
            "a2339c12d4a03c33546de533268b4ad667debf458b464d77443636440ee7fec3",
            "ef48a3ab26e20220bcda2c1851076839dae88eae962869a497bf73cb66faf536",
            "2d457b78b4614132477618a5b077965ec90730a8c81a1c75d6d4ec68005d67ec"),
        .init(
            "COUNT 3", "207c43a79bfee03db6f4b944f53d2fb76cc49ef1c9c4d34d51b6c65c4db6932d",
            "df3989b9fa55495719b3cf46dccd28b5153f7808191dd518eff0c3cff2b705ed",
            "422294ff46003429d739a33206c8752552c8ba54a270defc06e221e0feaf6ac4",
            "96441259534b80f6aee3d287a6bb17b5094dd4277d9e294f8fe73e48bf2a0024"),
    ]

    /// NIST CAVP, KASValidityTest_ECCStaticUnified_NOKC_ZZOnly_init.fax, [EC - SHA256] on P-256: where the other's
    /// point is bad, or good with a leading zero in the secret or without. What the file alters besides, our own key
    /// and a hash of the secret, a wrapper doesn't judge.
    static let validity: [KeyAgreementVector] = [
        .init(
            "COUNT 0", "72cc52808f294b64b6f7233c3d2f5d96cc1d29287320e39e1c151deef0bc14eb",
            "202cb5a224e6c2a84e624094486edf04116c8d68ec1f4a0e0ed9ee090e1a900b",
            "cacf3a5789bb33954be600425d62d9eae5371f90f88167258814213e4a4f4b1a",
            nil),
        .init(
            "COUNT 1", "fecbeddcbb8c104ba194c31d539a94a193f9f9fad48bc618023a1f2bfee058ea",
            "2a76d1b52ecc5683fba272bdeff3895878f04c467be1e658be52d6e05bbacb0c",
            "03b382191e99deaf8c5d0087cc6238bf54dbf54fe9a9eb1102804e5b87e67186",
            nil),
        .init(
            "COUNT 2", "8087ab163864bfa81001c72f736b6d94e7612559ac4c847d06ba2171840684d6",
            "5a3955c54a49645ed818f3774ea10971a1db88c370d8966c5a6e88234ed5d820",
            "03b13f0dad73f64532f42b8b2fa6d1450d9ab24896e95c24674298f2da07ccda",
            "0cb890a0dcc277c3dde0f91b4322a32e6365d7ec85316185d3286b4977849410"),
        .init(
            "COUNT 4", "64e23f7a2d279930f1de66b4bc147786b168d059f581268c24f6650362246e63",
            "acbcb31f5f6798a00f28aa4a634873744768db612925336efca98122a76d1b5e",
            "7dcefeb3ccb530029a8b62e5a7f00c42fc7ebeac8f469c289ea77b6186d661f0",
            "f70e4fc9ba68aafe07be1767620e64dd5e5bb7ab279f0657465cddeb69e36fa9"),
        .init(
            "COUNT 5", "8171000763de347d0eb650dd6fddac2ad48ec122c162d66c3df257aea13192fb",
            "758b2f0e79a3d0a94f521ae31dcff50fabd394bb4bbec8fa37d1566f463444e7",
            "b981e686e53e9e9dc2e3f263e810c89b4c271e62392f59ed45ed30ac3a5bfd33",
            "5cbea453310285b22f128178bd09b906fde9e660b5a17a7cec809a5a9a1e9287"),
        .init(
            "COUNT 7", "5d81fbc91b4438ed44dff0eedf26f41af06c1a6c1c503930f0a43091273f46d7",
            "0bfc3fcea237936f24d6d65b968474522b9c4eb24a265b2dfa261d44cacd4831",
            "bb612adccba051c5ab1b6972e9d2e1e651e7016462b5ff75cb90026185024db5",
            "b04774b748ce404f3a8017481174e396e32d757b26277a857d2991d9fa9f4a1e"),
        .init(
            "COUNT 8", "7115e9c19edaa711bf44f305daad2eb93d050dfb8955179731925d9b10a541fe",
            "e89e6655a2d61f9dedc753f42dc62b7becba322f0ce947d24b1fa2061fdff031",
            "9c22f5da0d95d3f96e70f8a14fa7d741ba783a35283d23b4d42ca26d9a7fd09b",
            "dc68083341b8515c2c890f31ee3cf76d5242550db9a7e9b59a9f5858a330ddb4"),
        .init(
            "COUNT 9", "4000b20cb99913be66e706b40f98b5ac719e1273bee4488dc4ffdd63ba995c0e",
            "09e3488b12826768f9d469396ad1f456c7ea9f43a862f7610a690c977c1b05dd",
            "12cde84085e5836651de86b330cd99c598665b6cf0a73a19a921df0478c63cb0",
            "d37ca42a505f4ec37217edb969ed397e700d885d4e3fde4a1b32c0b7f5ce6e33"),
        .init(
            "COUNT 11", "74dcc7ee7e823b5d42a329af71c801ccd064b6cd6d21a5d4a12f2c41f6815101",
            "4e06846f8cb7d78fb392b3b607f074abd03643074afbc7dec170135df65ded7c",
            "ce874722dbd5d20be20360a6c482bbe8e6e2264174de51b63825cb3173ae57e6",
            "4e8fcc5a910acbae3ac731ae2b9839406a96fae9d77c6d6ac1d639f0d6f525d3"),
        .init(
            "COUNT 13", "5530f938f747c6e2cdd7724d4d0b984c615a4a93548f8c8048f38d82d3225139",
            "4b7d65e1063d8f5378339f7fa29bc74dde3b7d21d31f5db3b793d7b0972a43a8",
            "b6087f382ffe5a2c3b83204b4e6a6f7bd6f5e51d657750c3862518e6a2e4a1c0",
            "0e5beabfc56fb7cc83f02e0f1caafa562c5764c01682b2b1cc274a2c423d9a0d"),
        .init(
            "COUNT 14", "2b38e49148f9a65ef2d3594a6ddc3599d7d2ddfcf18ac6d2b80d345f8fd64b3c",
            "72faf2a2b15b5b274315f1ef7a7277c2008ec9114746af8ad0449c6fa80d1418",
            "8c3ba412a189bdd1e18a5328d1f477cedb55c16116083f24b54532ebe88c5718",
            "7fad53be4454e217e44bf036913519e067e239e52561a398513317494384414e"),
        .init(
            "COUNT 21", "5d965d0465d1945051a077faef54c52e0317b2924474c5cc5484b5252660e205",
            "f84de7551e0f47a52d2d780126d18f5bd7d5d19acf76f0ecc881dc2d6bbcd741",
            "9a0a05252ed78a6afdaa4756ab074973ac8456d56cd5219561b71b1b15f69604",
            "0ba5c59a7ea550d6b0e3fab1279426b1de88362eeadc16830cee9bff6d72a538"),
        .init(
            "COUNT 26", "bd4b63809464ce4305dd2263629c1014a06ba9d93ff5d94080c3c2d0f2673c1b",
            "e1740cc58da344a039dc5b6f15958656abcd2f79efe14a6592b0b261b70abe2b",
            "3b2fe7d5a54e09a6e3ffb50da17d5b240021b3df34286b80810a1169ca1ee61a",
            nil),
        .init(
            "COUNT 28", "f2232ef76c128acba732b2032a7cde7562224719ef03f55577bfc832f9b7db57",
            "5744842237c9fa37ad967a02df3bb744c446c26f458d62f24083764095384331",
            "9ee62c75bd07bcd37ff8d6a5fd0c0942483d93d6f56d3a07eec5d8eb08be6a37",
            nil),
    ]

    /// Secrets at the edges of the field and of its words, leading zeros and all; the x nearest to the edge that a
    /// point has. The other's point is d⁻¹ times the point of that x, computed with the formulas of SEC 1 §2.2.1 over
    /// integers.
    static let edgeSecrets: [KeyAgreementVector] = [
        .init(
            "x = 0", "f41fcb28e1eca2291aa5148c01a8c3f5f5057fee4c3ef45902dd21250b729602",
            "f8c7f576e1542601ead46df8d4e9c371ca56ae9fb5fed285af7bf807c4af4b03",
            "2a54be5450862bdb369f7a294f2cdb25a02251e2ce44d449d6e4ce0101c795ed",
            "0000000000000000000000000000000000000000000000000000000000000000"),
        .init(
            "x = 5", "f41fcb28e1eca2291aa5148c01a8c3f5f5057fee4c3ef45902dd21250b729602",
            "429242c1aedb5b17e90f11cd1ab80e8d3cd5a907e5f113768a279dd5fb842988",
            "2f935dd7e3cc3292633ccce636b6f3dba6154b561670e46d677f2741fab829eb",
            "0000000000000000000000000000000000000000000000000000000000000005"),
        .init(
            "x = 2⁸", "f41fcb28e1eca2291aa5148c01a8c3f5f5057fee4c3ef45902dd21250b729602",
            "ffbae20061ad5e73708eabfb177fd0ed4e795e34a88fffde9ed29c6b476c4dd1",
            "604fe57429bcb4c172b2ee6f61d89eb55e4f06c6ef48dea48bffe0673cd59b74",
            "0000000000000000000000000000000000000000000000000000000000000100"),
        .init(
            "x = 2¹⁶", "f41fcb28e1eca2291aa5148c01a8c3f5f5057fee4c3ef45902dd21250b729602",
            "0bd3b6f1a738132bf4f9f17a72022a021b17809787c00f7bebe47c484aabbcd6",
            "f1216c7a78bb4e3f0670c4de46e9f6e56821c25b2af4b2b5e6723694c5f1f199",
            "0000000000000000000000000000000000000000000000000000000000010000"),
        .init(
            "x = 2³²", "f41fcb28e1eca2291aa5148c01a8c3f5f5057fee4c3ef45902dd21250b729602",
            "15b411118fc4e3c5dffeb9a7077ba04edf41472175448421821d29c1e836e24a",
            "7554e19763cecc7a419a19df4db06c7e919673868b9943b2f20b6b2064ac6311",
            "0000000000000000000000000000000000000000000000000000000100000000"),
        .init(
            "x = 2⁶⁴", "f41fcb28e1eca2291aa5148c01a8c3f5f5057fee4c3ef45902dd21250b729602",
            "21b64464e6ad8f53af5ae072c521eafd6912ddc810fd4b2a9acee0574d01e5cc",
            "40573e7bba2d11a43acc09a153133b3b6a3c3dcea3d1e06c7648f69a09e4edca",
            "0000000000000000000000000000000000000000000000010000000000000000"),
        .init(
            "x = 2⁹⁶", "f41fcb28e1eca2291aa5148c01a8c3f5f5057fee4c3ef45902dd21250b729602",
            "f7ce97b7f703f55d3bc158a24433119b73bcda782c2d5891f5eb627150af0532",
            "e245710fd0f014983adf41f9ccda4a9ab95bba1d3894ab956fa756738999af8c",
            "0000000000000000000000000000000000000001000000000000000000000000"),
        .init(
            "x = 2¹²⁸", "f41fcb28e1eca2291aa5148c01a8c3f5f5057fee4c3ef45902dd21250b729602",
            "703b74a8f9b66ff27e8ed989d60b880fa9253cd9532e9652b6552356d7ba2d35",
            "763aeedfe8bc44c1fedbccc111298417d13edac6b39dc9ca274c5e688a3715df",
            "0000000000000000000000000000000100000000000000000000000000000000"),
        .init(
            "x = 2²²⁴ + 3", "f41fcb28e1eca2291aa5148c01a8c3f5f5057fee4c3ef45902dd21250b729602",
            "8c01ef58da2ecd2d6e7975279ce7a7d4a57af9d34801d1ac039f022e24172bd9",
            "2a5462d7f4cdc1758fac7dd27e29ae5c60b8440779be45bbc73951ab5f8a8b23",
            "0000000100000000000000000000000000000000000000000000000000000003"),
        .init(
            "x = 0101… + 4", "f41fcb28e1eca2291aa5148c01a8c3f5f5057fee4c3ef45902dd21250b729602",
            "6e8bc72fe2bd4130d0001972acdac3e9627065ad90716b96c669582f96294326",
            "24bfdaf37def398242e3d1f894fb7e1a823c08c7bb8c9f3903bc484b6b9d9b2e",
            "0101010101010101010101010101010101010101010101010101010101010105"),
        .init(
            "x = 5555… + 2", "f41fcb28e1eca2291aa5148c01a8c3f5f5057fee4c3ef45902dd21250b729602",
            "62c33c831d51a3ea2168f3375fb9edd0ee6451989a20f4bdec43ce6f226f03aa",
            "8ab745f5c85090f8716d364de92509dccda41c0d2bd6508db3dffa105c12a614",
            "5555555555555555555555555555555555555555555555555555555555555557"),
        .init(
            "x = the order + 3", "f41fcb28e1eca2291aa5148c01a8c3f5f5057fee4c3ef45902dd21250b729602",
            "cdfb2d25526677186c59e9a2ace39bc068ef550984783631a323bb2bb5cb8b8b",
            "ab222f6fc4e94cbbd0089f02497dca418e95b6d9ca3b56288936befefa1c79d8",
            "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632554"),
        .init(
            "x = p - 3", "f41fcb28e1eca2291aa5148c01a8c3f5f5057fee4c3ef45902dd21250b729602",
            "a1f21a2e59f9fcf96e32e7d4a24e411546893cc747d80fceb99be02898e13051",
            "35d807c7e918664712c6fbeb86ffa915834580054e676e2555c197399046091a",
            "ffffffff00000001000000000000000000000000fffffffffffffffffffffffc"),
    ]

    /// Points at the edges, and private keys at the ends of their range and of few or many bits, computed likewise.
    static let edgeKeys: [KeyAgreementVector] = [
        .init(
            "x = 0", "f41fcb28e1eca2291aa5148c01a8c3f5f5057fee4c3ef45902dd21250b729602",
            "0000000000000000000000000000000000000000000000000000000000000000",
            "66485c780e2f83d72433bd5d84a06bb6541c2af31dae871728bf856a174f93f4",
            "fc8ddf477b8bdcb3ef3da8134d8da9f4aa4863ab021debf1a3201587ce8d075a"),
        .init(
            "x = 0, the other y", "f41fcb28e1eca2291aa5148c01a8c3f5f5057fee4c3ef45902dd21250b729602",
            "0000000000000000000000000000000000000000000000000000000000000000",
            "99b7a386f1d07c29dbcc42a27b5f9449abe3d50de25178e8d7407a95e8b06c0b",
            "fc8ddf477b8bdcb3ef3da8134d8da9f4aa4863ab021debf1a3201587ce8d075a"),
        .init(
            "x = 5", "f41fcb28e1eca2291aa5148c01a8c3f5f5057fee4c3ef45902dd21250b729602",
            "0000000000000000000000000000000000000000000000000000000000000005",
            "459243b9aa581806fe913bce99817ade11ca503c64d9a3c533415c083248fbcc",
            "e94377ff2bf981e7ef23a730566278f48536719b35a695916986dfe20b356903"),
        .init(
            "x = p - 3", "f41fcb28e1eca2291aa5148c01a8c3f5f5057fee4c3ef45902dd21250b729602",
            "ffffffff00000001000000000000000000000000fffffffffffffffffffffffc",
            "19719bebf6aea13f25c96dfd7c71f5225d4c8fc09eb5a0ab9f39e9178e55c121",
            "66253d5f7662448ece23c75f7d41ac824f93c946f6e2d39d5a01b5f8fb1aed37"),
        .init(
            "the generator", "f41fcb28e1eca2291aa5148c01a8c3f5f5057fee4c3ef45902dd21250b729602",
            "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296",
            "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5",
            "48d9de4e6e91ce8b56d08163d356835b086720a1a9a7aafb2a387fd79828a6f6"),
        .init(
            "d = 1", "0000000000000000000000000000000000000000000000000000000000000001",
            "d41e3f46578c47b7326407c55851805d9f4da3172030b1c637d17ab23ec19d51",
            "f77d1471481001a001b6117af0bd3651eff456a92880974f533b4edcdfbea61f",
            "d41e3f46578c47b7326407c55851805d9f4da3172030b1c637d17ab23ec19d51"),
        .init(
            "d = 2", "0000000000000000000000000000000000000000000000000000000000000002",
            "89728d9bbc7d0c0bffcdbaa3ff900eb68f6d503a9011d23f2fdcd3f644ad9e1c",
            "058dcafb7d949f6f49d20b5bd9abc8f2b5fb2326f15c5845b9b75551026a1876",
            "c0e82044820cb84053f2980ab5003e3269f860e17dfb7bdce463f5c939554026"),
        .init(
            "d = 3", "0000000000000000000000000000000000000000000000000000000000000003",
            "0b57ffe4690a84d16f8d14e036b14e4e6038dd07453a59663968ab09da725ca1",
            "c3efeeafd349da84c0e229210e72a6a4447a20664a15721c9e6ac9370c3a6864",
            "6b51cb81ead55cca6fb774231af3b6e2c1872eac4426dd5933e79db67202636a"),
        .init(
            "d = n - 1", "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632550",
            "861bbfbed7b45e55c4123f2ebbd74cb3bebe8f9a213a56ef48dfe7ba8860c824",
            "d242705456a3670ecaf23894cacc85a5628e06be83378f90b4541c5f6792bbaa",
            "861bbfbed7b45e55c4123f2ebbd74cb3bebe8f9a213a56ef48dfe7ba8860c824"),
        .init(
            "d = n - 2", "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc63254f",
            "13c3137685479ada359b86ac827b0feb838115cb5462fd1431f84ef62365b5ad",
            "7e7a114a9c66f5d19c6c31f2577c9fc784230acc8c51d3b2340b1c5ee6f8d85c",
            "615fd712bb1b4326b591ae0869bc727fc61769e46d597968879ee740ef1ae9bb"),
        .init(
            "d = half of n", "7fffffff800000007fffffffffffffffde737d56d38bcf4279dce5617e3192a8",
            "8c6b4d05fa3172e3a7bf3838d2dfe2cc9cc8420ec5e71a9e27d6b01344a716af",
            "38cdb764bfea575d99e176077ec16e82afc022aaaf2539c5cf5af2862ca9d6bf",
            "169646dfa1ec83e97623754a8c202d690b665398d12a53fad07546357a49f1de"),
        .init(
            "d = 2²⁵⁵", "8000000000000000000000000000000000000000000000000000000000000000",
            "674054517995b1333985e93fa5b1c96443afa4884ba44ac3898a24bd26e34171",
            "3278047438a9dcc41013bfce83f5cdad4156fa2da71546cf6e7399dc056ac0f9",
            "965a4c7bbd6a72b91d4acaeca51146dcbc2b100e56091a4296c23d9260e0fe07"),
        .init(
            "d = 2³²", "0000000000000000000000000000000000000000000000000000000100000000",
            "154e324debf95e00059607b0e452ab540d01f3a6ecb801515ec25c331546584e",
            "0a9485b9f48defe846560f10de759decc83f28a4b0f5a981f973193f0ec19da4",
            "9f77845cdfc9dfe6ef5186c93a301d6021730e2856697a3b58907ad894c4eb5f"),
        .init(
            "d = 2¹²⁸ - 1", "00000000000000000000000000000000ffffffffffffffffffffffffffffffff",
            "9237b623dbb2a0e806b6de1d564a194c77fc9cf14330aaa7bece55bacc7687fb",
            "f320683276f99828169ab0e90407b15518f00e01f0e2e40011bc74dec75b8dee",
            "97093ec8cc92401f4b55ea6eed56c1808dc0c9134464c28f321f13452a71df9b"),
    ]

    /// What is no point of P-256 though it looks like one, made likewise.
    static let invalid: [KeyAgreementVector] = [
        .init(
            "the twist, x = 1", "f41fcb28e1eca2291aa5148c01a8c3f5f5057fee4c3ef45902dd21250b729602",
            "0000000000000000000000000000000000000000000000000000000000000001",
            "de17b2671045fe58740248c17a8bd2fb2ef7c3c49b01da9f903efa3dcda669c7",
            nil),
        .init(
            "the twist, first random x", "f41fcb28e1eca2291aa5148c01a8c3f5f5057fee4c3ef45902dd21250b729602",
            "e06b6ca7cc906e109a66c6ae7e79003054920444b948c15968ceb6fbfc188d19",
            "3148961200fb3798cedea5fdf5016e62896f79f585b64da0593ba9e489789951",
            nil),
        .init(
            "the twist, second random x", "f41fcb28e1eca2291aa5148c01a8c3f5f5057fee4c3ef45902dd21250b729602",
            "085f4bc021323f325747d1dfafee23750b62aff1f0a3117a2a8ff4e9e1482dc5",
            "6d8b5804000b3c25f94b1a292713e622a6731767f40b69579c0b3be25b17bbba",
            nil),
        .init(
            "order 2 on another curve of the same formulas",
            "f41fcb28e1eca2291aa5148c01a8c3f5f5057fee4c3ef45902dd21250b729602",
            "40797c0db39b14e9362406a0162ef27154ef6e2722229d3cab6b0eed339364f8",
            "0000000000000000000000000000000000000000000000000000000000000000",
            nil),
        .init(
            "order 3 on another curve of the same formulas",
            "f41fcb28e1eca2291aa5148c01a8c3f5f5057fee4c3ef45902dd21250b729602",
            "fda1e09a1bcb9b4ffc500d2b8201010f483a045e569f62a718fbcb36633645b5",
            "bd4fc3161fa910e5a35212f9d91c1ad2f593ed89c2bf7d8c8d709c4c1e04e227",
            nil),
        .init(
            "a point of secp256k1", "f41fcb28e1eca2291aa5148c01a8c3f5f5057fee4c3ef45902dd21250b729602",
            "623794271a31375818ebcc5d0abd9b5fa101daa099bc0a2e3479ed3af164d824",
            "81fde96aff62f63ca5aa1333123c9a3e2cdcf8ec8fd2e02699ef527dc68221be",
            nil),
        .init(
            "a point of brainpoolP256r1", "f41fcb28e1eca2291aa5148c01a8c3f5f5057fee4c3ef45902dd21250b729602",
            "6363bf7b531fce50d9ee32f23479c34bd14a151b7efabef0cdb92ff6794d1511",
            "2c4d31e6141bebe6a76c1d590b2dbffda864e4327a5eb67d33a5ce36a61febd8",
            nil),
        .init(
            "0, 0", "f41fcb28e1eca2291aa5148c01a8c3f5f5057fee4c3ef45902dd21250b729602",
            "0000000000000000000000000000000000000000000000000000000000000000",
            "0000000000000000000000000000000000000000000000000000000000000000",
            nil),
        .init(
            "0, 1", "f41fcb28e1eca2291aa5148c01a8c3f5f5057fee4c3ef45902dd21250b729602",
            "0000000000000000000000000000000000000000000000000000000000000000",
            "0000000000000000000000000000000000000000000000000000000000000001",
            nil),
        .init(
            "1, 0", "f41fcb28e1eca2291aa5148c01a8c3f5f5057fee4c3ef45902dd21250b729602",
            "0000000000000000000000000000000000000000000000000000000000000001",
            "0000000000000000000000000000000000000000000000000000000000000000",
            nil),
        .init(
            "p - 1, 0", "f41fcb28e1eca2291aa5148c01a8c3f5f5057fee4c3ef45902dd21250b729602",
            "ffffffff00000001000000000000000000000000fffffffffffffffffffffffe",
            "0000000000000000000000000000000000000000000000000000000000000000",
            nil),
        .init(
            "x = 0, y + 1", "f41fcb28e1eca2291aa5148c01a8c3f5f5057fee4c3ef45902dd21250b729602",
            "0000000000000000000000000000000000000000000000000000000000000000",
            "66485c780e2f83d72433bd5d84a06bb6541c2af31dae871728bf856a174f93f5",
            nil),
        .init(
            "x = p for 0", "f41fcb28e1eca2291aa5148c01a8c3f5f5057fee4c3ef45902dd21250b729602",
            "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff",
            "66485c780e2f83d72433bd5d84a06bb6541c2af31dae871728bf856a174f93f4",
            nil),
        .init(
            "x = p + 5 for 5", "f41fcb28e1eca2291aa5148c01a8c3f5f5057fee4c3ef45902dd21250b729602",
            "ffffffff00000001000000000000000000000001000000000000000000000004",
            "459243b9aa581806fe913bce99817ade11ca503c64d9a3c533415c083248fbcc",
            nil),
        .init(
            "y = p", "f41fcb28e1eca2291aa5148c01a8c3f5f5057fee4c3ef45902dd21250b729602",
            "0000000000000000000000000000000000000000000000000000000000000005",
            "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff",
            nil),
        .init(
            "x = 2²⁵⁶ - 1", "f41fcb28e1eca2291aa5148c01a8c3f5f5057fee4c3ef45902dd21250b729602",
            "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
            "459243b9aa581806fe913bce99817ade11ca503c64d9a3c533415c083248fbcc",
            nil),
        .init(
            "y = 2²⁵⁶ - 1", "f41fcb28e1eca2291aa5148c01a8c3f5f5057fee4c3ef45902dd21250b729602",
            "0000000000000000000000000000000000000000000000000000000000000005",
            "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
            nil),
        .init(
            "x and y exchanged", "f41fcb28e1eca2291aa5148c01a8c3f5f5057fee4c3ef45902dd21250b729602",
            "459243b9aa581806fe913bce99817ade11ca503c64d9a3c533415c083248fbcc",
            "0000000000000000000000000000000000000000000000000000000000000005",
            nil),
        .init(
            "the generator, y + 1", "f41fcb28e1eca2291aa5148c01a8c3f5f5057fee4c3ef45902dd21250b729602",
            "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296",
            "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f6",
            nil),
        .init(
            "the generator, x + 1", "f41fcb28e1eca2291aa5148c01a8c3f5f5057fee4c3ef45902dd21250b729602",
            "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c297",
            "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5",
            nil),
    ]
}
