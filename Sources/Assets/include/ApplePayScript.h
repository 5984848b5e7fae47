#ifndef TOLLGATE_ASSETS_APPLE_PAY_SCRIPT_H
#define TOLLGATE_ASSETS_APPLE_PAY_SCRIPT_H

#include <stddef.h>
#include <stdint.h>

/// `apple-pay.js`: Apple Pay in a browser without Apple hardware, in UTF-8. It lives as long as the program.
const uint8_t *_Nonnull assets_apple_pay_script(void);

/// The count of its bytes.
size_t assets_apple_pay_script_count(void);

#endif
