extension AESGCMVector {
    /// IVs of 16 bytes, zero as Apple's and such that the counter runs over in the text (SP 800-38D §6.2 counts in
    /// the last 32 bits alone), with texts of every kind of length; the counter block and the tag computed with GHASH
    /// as SP 800-38D §6.3 and §6.4 write it, bit by bit, and AES in ECB.
    static let longIVs: [AESGCMVector] = [
        .init(
            "AES-128, zero IV, empty", key: "000102030405060708090a0b0c0d0e0f",
            iv: "00000000000000000000000000000000",
            sealed: "0ba1a3dc21df59cf6fc1810d10cd9c25",
            plaintext: ""),
        .init(
            "AES-128, zero IV, one byte", key: "000102030405060708090a0b0c0d0e0f",
            iv: "00000000000000000000000000000000",
            sealed: "d9521ad66f23a7633471dd8fd1028a9fa5",
            plaintext: "d9"),
        .init(
            "AES-128, zero IV, one less than a block", key: "000102030405060708090a0b0c0d0e0f",
            iv: "00000000000000000000000000000000",
            sealed: "1b516c48762445a53f4f10a863fabf3f73af8fd1ea3e67f6eea5852ab2e43e",
            plaintext: "1b4717be9d9ab1d2de7e1f1e9fc41c"),
        .init(
            "AES-128, zero IV, a block", key: "000102030405060708090a0b0c0d0e0f",
            iv: "00000000000000000000000000000000",
            sealed: "219e455083cb539816151f08bbd29d63219dfc44fb725ae9c21d74b463ac058c",
            plaintext: "21883ea66875a7eff72410be47ec3ec8"),
        .init(
            "AES-128, zero IV, a block and a byte", key: "000102030405060708090a0b0c0d0e0f",
            iv: "00000000000000000000000000000000",
            sealed: "9c324b66c8f1e3843215d3e7a43a6d27eeffba65d248b92fe9c7ecf0280ca7acef",
            plaintext: "9c243090234f17f3d324dc515804ce8cc6"),
        .init(
            "AES-128, zero IV, three blocks", key: "000102030405060708090a0b0c0d0e0f",
            iv: "00000000000000000000000000000000",
            sealed: """
                d94737c785cc738ebec14b916c5a8e96a162eb5369184c9cf66b7df3f020f507af42465102324d862708ec95cabb17f1\
                9251a14b906826e2543ecd95af8c037e
                """,
            plaintext:
                "d9514c316e7287f95ff0442790642d3d8927d39cb2baa4e3f2d46e9e053f1aa54c1e26805c83eb6f19ebf5c472b1d467"),
        .init(
            "AES-128, counter at its end", key: "000102030405060708090a0b0c0d0e0f",
            iv: "a87eafcaa3147a499821cd34f920ab91",
            sealed: """
                26c311084433a4bb5ddfe45626362fe7ec9178cd86bc77f97b0a88350894c7879f6c5f7f10cd0d72d5164c27168712e9\
                fd7ad84ef2b72d3626591d0cb935a6d3
                """,
            plaintext:
                "500ff313b0b090c5f201eae34d3c604d90ef692f695a330b59707e859a483deb72bf1415872da3742c7c4aa0124b5eb8"),
        .init(
            "AES-128, counter one before its end", key: "000102030405060708090a0b0c0d0e0f",
            iv: "1b3fe4b5bb2da3bde1bb22e4c1712dcc",
            sealed: """
                1ea3e672d691a4ac4dc98f108f95de3b9f21b99291088972017ba0e60fe509de9d121cf110309043fcfab6ec0d9f2497\
                a7724e992864173def0da8d4c54a18fe
                """,
            plaintext:
                "22e7f9401896268f291e2d8981c565286024e0a5e46424bc680f4dad837d74705f93878b5624e331c87fa3889b729c2e"),
        .init(
            "AES-128, counter block of zeros", key: "000102030405060708090a0b0c0d0e0f",
            iv: "b9b33e71048a83005e6c5b408dfd5796",
            sealed: """
                fc48e8d6492b3e8b4b5e06882c71c1f447cd06aac71f49a7945c7f08f29b3bf4396bbb3706256f9409b9ac7f7af5d6c1\
                1ef47ccb88db7b80c2f61fe4038591e6
                """,
            plaintext:
                "8f0efb43dceb8a950225bb6b4985ecfe0e1b81f95e84ef2b77d50560921a8b6980c69019324fadac59e49a21e6422a97"),
        .init(
            "AES-128, counter block of ones", key: "000102030405060708090a0b0c0d0e0f",
            iv: "525aa994c2063e28656b7b3ad0f8111e",
            sealed: """
                2b3e43eea242441846b7c5d2461efef2c9437498a62f7fbc33bdb827b6247ec53898e618992cf93c72d42b06f49a6c9a\
                625e2dba1899ecbc6828d431e63c27fe
                """,
            plaintext:
                "d43b1ad9d72ee9d62fc32899ca86835c0bc2efe2e03b0cce0738ad4320c9c67cc956cbcc125228bda745b716c373f4d7"),
        .init(
            "AES-256, zero IV, empty", key: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
            iv: "00000000000000000000000000000000",
            sealed: "56d4352cf736c5da72108d33917df4a5",
            plaintext: ""),
        .init(
            "AES-256, zero IV, one byte", key: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
            iv: "00000000000000000000000000000000",
            sealed: "8225ab00a37e3e88c88dd953c275239906",
            plaintext: "4a"),
        .init(
            "AES-256, zero IV, one less than a block",
            key: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
            iv: "00000000000000000000000000000000",
            sealed: "5a11437f1be797031fb5dd3af7fe9f649ec20d3405d06f217ba6133d551e74",
            plaintext: "92af1b45ae2299d705c0a7ca8432a7"),
        .init(
            "AES-256, zero IV, a block", key: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
            iv: "00000000000000000000000000000000",
            sealed: "91adb8bdd45ebd591f1df38ad7a2cb74248eed8463964f4bd1ef5141e007207e",
            plaintext: "5913e087619bb38d0568897aa46ef373"),
        .init(
            "AES-256, zero IV, a block and a byte",
            key: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
            iv: "00000000000000000000000000000000",
            sealed: "83764fd5fdcc0957e313e198558fb165eae626ee98ba2106062aa658cba1ba9923",
            plaintext: "4bc817ef48090783f9669b68264389626f"),
        .init(
            "AES-256, zero IV, three blocks", key: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
            iv: "00000000000000000000000000000000",
            sealed: """
                092d39de255bac0cc6a63b81c0b1ca0aff2d50661c122cf774c3e900225f98011c69fa0d4caa762cb885c14679a3a2ab\
                fb805e33d9860e521997b631b73d5171
                """,
            plaintext:
                "c19361e4909ea2d8dcd34171b37df20d7a16ad6741796b7cffe0b71bc5286ab7fe5643c192c254b5394f8948fc5ab476"),
        .init(
            "AES-256, counter at its end", key: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
            iv: "15316b6dc8251865bf54f98a24e2eb9e",
            sealed: """
                7b8c13c84db127e2ab7a6d0533e4495774d80d21ba16e7191d197141b926481910ab42a79e89ae3df7c95553b028f403\
                bb399fc3cc85911d40c8c83b7f23366b
                """,
            plaintext:
                "e53f3673d1369e0ff6633314c62aa77bdb52354ca564f4c3e12d5ae8d94d1a8eca2db214d1eee5239fa9954fcaa4763e"),
        .init(
            "AES-256, counter one before its end",
            key: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
            iv: "8ec0c284a50cceb8c06d8b1471aba886",
            sealed: """
                217ed12609e23122c8d2f1bd86310ab6c4e87b324abbd10da671e0005f65e362d02013433febae724bcb2f7044cffb26\
                3078280c638b8af1f50989a45e5480ca
                """,
            plaintext:
                "c8e7353b454541f89b55e0c6dbbe5d5844106320f00310147d3d90dac2fd2beb0859f2661fb90ffcea84714da2621c13"),
        .init(
            "AES-256, counter block of zeros",
            key: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
            iv: "c3c64c71328ffae30c1aaf5d72f0b7bd",
            sealed: """
                e16dd4376161f2601c22e1128cfa684fbc19e686415f6622d1ee0bf0b47a05b34db79fb48e9bda926328fe3ade79c6fa\
                18b7edf08a4e34ef5bd64c051a73c3ca
                """,
            plaintext:
                "1130a2992bd86d85bad47a23c4385e72b2a55358f473e59fd946a2c5ac56942a9ff4c9e7a61ababde3b64db91b869bac"),
        .init(
            "AES-256, counter block of ones", key: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
            iv: "1648929b5f941c336744d704903993da",
            sealed: """
                8ccd53c54d8d78ea6053f7652bd26a9673d8528832972f9a2093b7da379fc4572ae4707133700e4375a7dc3dab19c41f\
                43a5e8d0bb1d3695e2f3662bc08dbb6f
                """,
            plaintext:
                "0c354bd7f735b9f3bb1f87bfb64aa21faba1b3ad12c58e1481dce9e7d132236210659fb853cbd085fef972ec87376753"),
    ]

    /// IVs of 1 to 128 bytes over one text, computed likewise.
    static let otherIVs: [AESGCMVector] = [
        .init(
            "an IV of 1 bytes", key: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
            iv: "2b",
            sealed: "d90c0639cd3d9c07033681f4ccb65243f6513fa68bcb6d84",
            plaintext: "746f6c6c67617465"),
        .init(
            "an IV of 7 bytes", key: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
            iv: "793a3625c2db0b",
            sealed: "c404b9c1ba1aa5f192f7f5bf69d3ea52ea3d3132da109dab",
            plaintext: "746f6c6c67617465"),
        .init(
            "an IV of 8 bytes", key: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
            iv: "e94bb6a0d52fe252",
            sealed: "b332ec9509b1d4256b777417157b29b1e2d9be37a10fe4fe",
            plaintext: "746f6c6c67617465"),
        .init(
            "an IV of 11 bytes", key: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
            iv: "6831fdb90aceef1c34a464",
            sealed: "1be754fbee466d2a89e27d6964b094e04cec65bfddb0c96b",
            plaintext: "746f6c6c67617465"),
        .init(
            "an IV of 12 bytes", key: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
            iv: "e46af8a6c184670415616f1c",
            sealed: "709981dcb18840c395bf6071521b4ac064f1a1e78c247405",
            plaintext: "746f6c6c67617465"),
        .init(
            "an IV of 13 bytes", key: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
            iv: "abc9e814d549e7e8f0173907d6",
            sealed: "0bb76cf0a1c52d5149057f46ff992a8b37a64be3abf92a98",
            plaintext: "746f6c6c67617465"),
        .init(
            "an IV of 15 bytes", key: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
            iv: "6baf9ce6c92ec5cdad3a0d869cfc4d",
            sealed: "5e435191c9848f10acad7563361eae2fecb33edb41bc7670",
            plaintext: "746f6c6c67617465"),
        .init(
            "an IV of 17 bytes", key: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
            iv: "e3a6b96e52c7038c734953899da4127637",
            sealed: "e3af8a700c178398dcd519e8dab6443d7748e7aa1fc9e25b",
            plaintext: "746f6c6c67617465"),
        .init(
            "an IV of 31 bytes", key: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
            iv: "acfe3c6e936329b8f494ec5607783a44bfeffd35b042ed0516e6bb52363004",
            sealed: "99eef5c0601b2de03d4d952296f09a92fd3e1c58af5ba680",
            plaintext: "746f6c6c67617465"),
        .init(
            "an IV of 32 bytes", key: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
            iv: "1e7db89075f23f224b7387520465742a7eb79e7b78e5813b95f909ae0d22df94",
            sealed: "74d0493498ce7325215ebc60193883916655f02529b109f8",
            plaintext: "746f6c6c67617465"),
        .init(
            "an IV of 64 bytes", key: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
            iv: """
                e2c2c99a1fe8d52720c56e72a424731369b3d4c34574644d8e4ab2f5c730413297927ab7cd37c1658ba1cb4f0ea41624\
                1f356c2c5bfdeb77e0978e4277ce35b3
                """,
            sealed: "597c2bd211d20e63d3354f2d5ce9fe8e16b21e1356caae91",
            plaintext: "746f6c6c67617465"),
        .init(
            "an IV of 127 bytes", key: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
            iv: """
                a9b2fb4499fdfbda91613b816f767bd98b2390a6e8cf05596ee2eb570ef4f831b141d2e1d0e219c0e3710d9cc427696e\
                1c2a9a65e1ba7410614eff0cd5ca4872e1a51e538dcfcc152a3cf0378de775b734ff8aa7fd4009a1c82cc6c9efb1cd98\
                d6c306688d14e42d4a17221298cdbcadbdbbf9e85f1331da113c343a2f8fa4
                """,
            sealed: "9ea904d5d7d691faa88481b60f8adf0edc13c7009620d6d1",
            plaintext: "746f6c6c67617465"),
        .init(
            "an IV of 128 bytes", key: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
            iv: """
                a3cabf592376252f39c5094ecdb3014c8acecd64bbaa07bd6d696c430580f20dad782066bdab238f8fe05cb66b6acd7b\
                a2fd8b520720f44c2fd0465f175618d25cfb683eb9bba567d137aa3e1d83840db0dc6de661c2074bd99ed0904a6f3ed9\
                bee098942570a7ea54ccf5beca1c82edba24d58674b8f04d66aa9ee2a805b6c8
                """,
            sealed: "a7f71220df193b0e633249daabd66780910d1a3a5a139ae6",
            plaintext: "746f6c6c67617465"),
    ]
}
