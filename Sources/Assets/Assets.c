#include "Assets.h"

#include <string.h>

// #embed is of C23, which the package's other C code doesn't need.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char simulator[] = {
#embed "../../Config/simulator.yaml"
};
static const unsigned char apple_root[] = {
#embed "../../Config/trust/AppleRootCA-G3.pem"
};
static const unsigned char openapi[] = {
#embed "../../openapi.yaml"
};

static const EmbeddedFile files[] = {
    {"Config/simulator.yaml", simulator, sizeof simulator},
    {"Config/trust/AppleRootCA-G3.pem", apple_root, sizeof apple_root},
    {"openapi.yaml", openapi, sizeof openapi},
};

const EmbeddedFile *embedded_file(const char *path) {
    for (size_t index = 0; index < sizeof files / sizeof files[0]; index++) {
        if (strcmp(files[index].path, path) == 0) return &files[index];
    }
    return NULL;
}
