#ifndef ASSETS_H
#define ASSETS_H

#include "ApplePayScript.h"

#include <stddef.h>

/// A file that is embedded in the program.
typedef struct {
    /// Its path in the repository: `Config/simulator.yaml`.
    const char *_Nonnull path;
    const unsigned char *_Nonnull bytes;
    size_t count;
} EmbeddedFile;

/// The embedded file of a path; null if there is none.
const EmbeddedFile *_Nullable embedded_file(const char *_Nonnull path);

/// A file of the console by its index from 0, whose path is its name: `console.css`; null after the last one.
const EmbeddedFile *_Nullable console_file(size_t index);

#endif
