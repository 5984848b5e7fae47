import Testing

/// A key, an IV, associated data and a sealed text, with the plaintext, or nil if the tag is wrong.
struct AESGCMVector: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let key: String
    let iv: String
    let associatedData: String
    let sealed: String
    let plaintext: String?

    init(
        _ name: String, key: String, iv: String, associatedData: String = "", sealed: String, plaintext: String?
    ) {
        testDescription = name
        self.key = key
        self.iv = iv
        self.associatedData = associatedData
        self.sealed = sealed
        self.plaintext = plaintext
    }
}

extension AESGCMVector {
    /// NIST CAVP, gcmDecrypt128.rsp and gcmDecrypt256.rsp, tags of 128 bits: of the groups named by key, IV,
    /// plaintext and associated data (all in bits), the first good and the first bad one.
    static let nist: [AESGCMVector] = [
        .init(
            "128, 96, 128, 0, Count 0", key: "e98b72a9881a84ca6b76e0f43e68647a",
            iv: "8b23299fde174053f3d652ba",
            sealed: "5a3c1cf1985dbb8bed818036fdd5ab4223c7ab0f952b7091cd324835043b5eb5",
            plaintext: "28286a321293253c3e0aa2704a278032"),
        .init(
            "128, 96, 128, 0, Count 2", key: "5164df856f1e9cac04a79b808dc5be39",
            iv: "e76925d5355e0584ce871b2b",
            sealed: "0216c899c88d6e32c958c7e553daa5bca145319896329c96df291f64efbe0e3a",
            plaintext: nil),
        .init(
            "128, 96, 104, 160, Count 0", key: "c62dc36b9230e739179f3c58e7270ff9",
            iv: "196a0572d8ff2fbd3522b6a5",
            associatedData: "4d10536cbdbd6f1d38b2bd10ab8c1c29ae68138e",
            sealed: "958062b331f05b3acaa1836fc2dc65a20d9a9aec2e7699eaead47afb42",
            plaintext: "6d8abcee45667e7a9443896cbf"),
        .init(
            "128, 96, 104, 160, Count 1", key: "0c966ae197bd94cdabcab5f9c4da02cb",
            iv: "c5bcc7e7044169fa01519ab7",
            associatedData: "5feaf91a64887463a0b3299da6c87cf2874ebf0b",
            sealed: "49c9a9b0c3980e443cd5195a169843f2181d3db30d1c7694c511a85440",
            plaintext: nil),
        .init(
            "128, 8, 0, 0, Count 0", key: "89073fe1cf46069f57eb687be3479f14",
            iv: "6d",
            sealed: "d6b98208152e9f3f7033c9ecbe1c8410",
            plaintext: ""),
        .init(
            "128, 8, 0, 0, Count 2", key: "a37a3401be8b9f7987f7d70c262b5000",
            iv: "f2",
            sealed: "aba6369342fc23017fa789ec2ff12f9f",
            plaintext: nil),
        .init(
            "128, 8, 256, 128, Count 0", key: "5f69862dee980b78bdbb0ae7913dde13",
            iv: "39",
            associatedData: "d43d3311ef823b373fe6420244db08fa",
            sealed: "c17fe13a6b2386c0de72efeb106e3e656d1e4d2dd90fdaeb742ea46ee796bb6a4cd75bf1d0ab0f14c3e19c9a3e3865de",
            plaintext: nil),
        .init(
            "128, 8, 256, 128, Count 2", key: "af4e9cfd5437db1531185574723c8bab",
            iv: "e7",
            associatedData: "3fa28cdf41eadccc7ab78a99f5189c26",
            sealed: "4ffdad7bd37503130c2dd09db43322235828931722f821be6e576dd0feb698095e2361d2777cf434d2f1c374b07da6c0",
            plaintext: "fb0272c27498723fbe494bc45a9d39110b5b454c3d596d4d4cd93b2ea571c5ba"),
        .init(
            "128, 1024, 0, 720, Count 0", key: "751bdbf1e0d207963ab8b786e02d19cf",
            iv: """
                26a7c80ad370ff7a851526c7924f7c1b03d165be182cd17c5a8c779b134d9974b82b95df3c54377cb11015a16940d52f\
                a741aec80236302f22aade01f0913cfba2fc5c0ef19099e3f01a590dee02e797b01e90a6d9f906caac020148d2013f61\
                cbe16ed049778a44ca343dbc188b0a57482fd070008bb825a8b9d66979a8ead5
                """,
            associatedData: """
                9f79b7cb90a13607f6b42c5d2a427fb1d6e14fe707ec9d6c5eb8efeb8a970bbe6bd4a0be70f6c17b9821d8c275fd4259\
                843d1f6b23df0bbaf4b03f75e72d6326a81d4459e7ae97271fb5478944e2d507fb85f7006195d29ec03d
                """,
            sealed: "ad4467d419b918756b940dcecf4570fe",
            plaintext: nil),
        .init(
            "128, 1024, 0, 720, Count 2", key: "42c6e06f7f07c793864f6033f9022a41",
            iv: """
                bd1258f14570dc663f81c31916bcb45490a7df15c95d827fd9e36aaf12f8fc51b8c0bc823faf1cccf9e6d6d3b132e874\
                993325a1a2b1b61f9dacbb4a458de8d25dbf0ba4282d64a06686ddd0f099300b98e91362ffbeb44ebd22ad3c92ee06b2\
                30e234f85363642f57d0154aee09ff08d0e560b5728a5db8a18b26438177c45f
                """,
            associatedData: """
                ef675d5e33198af58e72d7f379dd35bd7234aa7a52ae28531ee2e77d6bf30f05c507b8cc72361f11e70017b30c0e374d\
                d283d29c324c67d43d92868485b0ac2cc4e0dfef362df74c927f935d630611fa26c5be9bea49291d3875
                """,
            sealed: "6640b62190bb4a11d4c7b37039bba6fb",
            plaintext: ""),
        .init(
            "128, 1024, 408, 384, Count 0", key: "1101dbcdb2e7be6a850c1095295192b7",
            iv: """
                4869df4ef2921d616df92a9443cce1a75671239913fa43e266b1a9900732001e450055953719974010c7d28807f7391b\
                156515fefb54516138862523509cdd705946614400fa4b6979cd5c07909288576d42f1a47d247349971f21f8cd94e1b9\
                c757ecc25f3207ec6af8554e8da28da2437982fac1ba8458cac97baf2cadb3d0
                """,
            associatedData:
                "d8df3fe710824a182a7810d78aa7dcecec7df57dffdd453badb019f4ecbc16d01b9718a1a576df72a3bc8bf3a7145064",
            sealed: """
                a9ec4258119e7a549a330d816b87ea37cc386aee14edd6f68fe7c7b10552d71c26bf60a6430a97d88713e87659d135bd\
                3f812c070c01b426772db71771ee9baef29465
                """,
            plaintext: """
                de52fabdb60be9873bfe3ee789989686c7dc409ed8ef396d60ff3109dd8a59195250bed5d91d69074ec474d647b591cd\
                a7f480
                """),
        .init(
            "128, 1024, 408, 384, Count 1", key: "210083c793b648e3e967dbfe873f29aa",
            iv: """
                8b27ae583bad2119bd9523456414f27960b7582b9917f9c433d07c49e149ea6c530d1a1b52ce1cbfca92b2b05015b7b7\
                e598bd93d2c179b2adc984adb498a9e38dbdb1f8c459f70a1e73c827d65d2d6801e56c85e55c9e91ccb5d2ebe49b0e84\
                1fdedc5cb32164dab5b1751ef15c830bc99c25a4db01a0064e87e9986c49a04d
                """,
            associatedData:
                "bb31c9300ee491a88be2c5af23d35562fe65243a4feff261678ca4aa20f3ac46a2e26b45417105c37fffd3ba5caa77d3",
            sealed: """
                48a763b39b8b9049f1c2131b8fcdb940bf72aa0eeaaa6dc3ecc31cb1ddfa3abfbd7ca4df3fd2cd19b094dd83146fcbac\
                4eb08d824cc40f336b824faab30230bc190a25
                """,
            plaintext: nil),
        .init(
            "256, 96, 128, 0, Count 0", key: "4c8ebfe1444ec1b2d503c6986659af2c94fafe945f72c1e8486a5acfedb8a0f8",
            iv: "473360e0ad24889959858995",
            sealed: "d2c78110ac7e8f107c0df0570bd7c90cc26a379b6d98ef2852ead8ce83a833a7",
            plaintext: "7789b41cb3ee548814ca0b388c10b343"),
        .init(
            "256, 96, 128, 0, Count 2", key: "c997768e2d14e3d38259667a6649079de77beb4543589771e5068e6cd7cd0b14",
            iv: "835090aed9552dbdd45277e2",
            sealed: "9f6607d68e22ccf21928db0986be126ef32617f67c574fd9f44ef76ff880ab9f",
            plaintext: nil),
        .init(
            "256, 96, 104, 160, Count 0", key: "de1bb0d8acd23457c593c490e45858698d9acb887cf12c4a2931ea14a010a985",
            iv: "a787cb34d6f88921f036b833",
            associatedData: "6ffa289ec67aa3c1f8b4068af8d9acadc434cfc2",
            sealed: "ca0e93b01a47910918c18f1d7aef745fdf7d78d283b39a4597ca82f8cb",
            plaintext: nil),
        .init(
            "256, 96, 104, 160, Count 1", key: "6b879203e1a23c90bc4b92e4ee42001f8466b0a168a3b09df9b644182d8242ab",
            iv: "3e05199e1d56ca0b120694c8",
            associatedData: "b21100419dc0a8ea58ef372e5f07e841b2ee5568",
            sealed: "ef4cd1b06520043c369f8324480ac846204a3a5299cef82d7a9b1748a8",
            plaintext: "d167388250a59485b3dde40200"),
        .init(
            "256, 8, 0, 0, Count 0", key: "12b8487b88bbadcb562b9b2b7bb0b0896b760c34ad142051c4850e49f5f0a653",
            iv: "27",
            sealed: "fe1333e3a8731fa8fced4b9230affa57",
            plaintext: ""),
        .init(
            "256, 8, 0, 0, Count 2", key: "ce613d4c12d07aab4b7e6d5f5622ec9d478493474cc9afce6085c877c00b0263",
            iv: "11",
            sealed: "7b8211b8949569f1826357b9e92db974",
            plaintext: nil),
        .init(
            "256, 8, 256, 128, Count 0", key: "28d154bfe003e477706f7bcf4ff6cbd4e18b558c02091e4140ee0c6cadbd371f",
            iv: "5e",
            associatedData: "c3f3feb34a94557ccc96d252b22c7f2c",
            sealed: "a4e92db52b97afef778fce375ec275d1f309d5c4bb6a43460a3918c0e66d593776f6346e71b73d367b6d380e37e76fd8",
            plaintext: "ce93dd240088f8f7eb03ffcd2a979bc941e86cb2a1741626cf62043838fed6fb"),
        .init(
            "256, 8, 256, 128, Count 1", key: "62a4222b59a850d0ed9cde1be94074e1265299067011c13b6a05bc43ee234fe4",
            iv: "0e",
            associatedData: "727ad08ca445d95cae59260de5819944",
            sealed: "79da5fe3ad2dcef506b73527b9919a7aa9a8d959a35a2b9d3c19ef18af092167390d7fff38b9b7b3c79e99108d5ed726",
            plaintext: nil),
        .init(
            "256, 1024, 0, 720, Count 0", key: "24070ed39091c53fc012b33c700387fad697187dea43dd9d51f3b360daa7bdcb",
            iv: """
                1f0b9935cfa74861e93555a7fa69f99418cc531bd893ae50690469077ffa1de7820c63c01fd293515e901bd9cf7489bc\
                5fdf3baf254e75f68f3d645b5b435f0380b37660498a7849dcb3c619357961dc0383521a93e888314913731744a6af85\
                cc37c9ff4cabea0a2c1e6fe76afa1cae0f0fbee42095910db17e134280f2bdd8
                """,
            associatedData: """
                5d66fdc98f3f7a7c1b5a50f0d2be85f97adc81b4a267dd15bab41e8d3a13a2d28598b7e9ca0e250c7dde74b9d1d5c72c\
                022db1d76def66e66410afb62e50bd1c000c1fdad67a4abdf99c19e0879790b722a13a5a141725a619a5
                """,
            sealed: "ab5de5d42c724791a294e8815bff97c7",
            plaintext: ""),
        .init(
            "256, 1024, 0, 720, Count 2", key: "4a672ed7e56e8d63c3da8ed2cb0a2fbeb9ce68a90003f368475a33ab41fc9244",
            iv: """
                c477426601d7eaca898f088766f321a6a4347280b6b3fffb002fd9667929c4dd3ce3f5d363877bf6309ca6875de2b352\
                fb1352ca0959981e3aad105a81203d9e38b6085e772093cbd3c93a70392b61565c7de3ca9b101de5c3bf753177539391\
                34e5467b6a721ae28c8c6220cfc04f78eb4aba2c0378c031a9bb5730b9ad7824
                """,
            associatedData: """
                be334d3ef3d7ffe4f05e717677dbd044c9249345b7e76606e312c1832506e4f27d0cada4feb89b46154ade8c7f68219f\
                44133f265236ed5c8e1a8f7fdf4b9881e3ad628d414d51703a7978bba97567d1c9a52e1a5049b65545cf
                """,
            sealed: "603059782e89f4b72e4b09fe5301ff3a",
            plaintext: nil),
        .init(
            "256, 1024, 408, 384, Count 0", key: "b5fc5541ceb526327fc814476516a224dceb6cdaa84c3f2d10a8037a4d42d59a",
            iv: """
                f4336061010e6d603d86bfc5fb2dbdc0de581a738d7c9d87b1de799f0db54fe57b1789576b11cba204daf31115704a12\
                799f05eef39316738bc42cfde1d0f35c4f222e5cf95652d12e8f42df65849ff89f2e6b480f1531b079f9e9304fc99556\
                b529b0c55ff6462efd22e9413cf28e0d3b106862df31b00748fdcd3707f2b829
                """,
            associatedData:
                "e4e73745afe792a0f3d61089bde1228fbc9509a326562883ccce33eeebcec53c786d064af60f41f3fcb7fa7e42971975",
            sealed: """
                d560f8d55dc506f80edae1a151d72794f8d083f5c1e274f87e6c09bd03dbafa946202bebffbfaef87ef88f369a70f669\
                38a82885ae3a380cdf8bb2e502a72852aa4fee
                """,
            plaintext: nil),
        .init(
            "256, 1024, 408, 384, Count 3", key: "d59a435745fab0c08dd26cbd372d6eb627adbf857725e8681c07788af40308f3",
            iv: """
                2e052ea4de376bb3ed7cd62c3ab9358f11a53921a90f4d8b46ad6fc50c2bc61bd1c2e867f1d095ce0db5936b8dca2d8e\
                a420a0f414102f220415300faebdf454b458de54e6a3b879bd36088cdefc8f5e40452686abd64c352f5f463d89f0c664\
                4e85d3d6609125441c93bd3a74f73186308e383e44d07deedf8a588a867830ed
                """,
            associatedData:
                "30dc56d844a20defe70432eae6151ca8b4235a493f84ee6c1c468bfe9206290be496715441059677197028df45dffe0a",
            sealed: """
                99aa322e8a93667adf53118ac0cee88c298795f12888465847f443df440d0f75e95bb660f58226b4d48f1090436bdb33\
                36b501fe880fa22f8628bca2c9bba00ac8510f
                """,
            plaintext: """
                81841e952b168cb2fbec0da131ab6488a90ce7ef80938fe33471c67688a207e01f43018a4da29a5adc61817aafa54a4d\
                af2016
                """),
    ]
}
