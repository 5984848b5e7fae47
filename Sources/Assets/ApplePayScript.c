#include "ApplePayScript.h"

// #embed is C23, which the rest of the package does not need.
#pragma clang diagnostic ignored "-Wc23-extensions"

/// One script of one noun a file, in a block of its own, so that none of their names reaches the page.
static const uint8_t script[] = {
    '"', 'u', 's', 'e', ' ', 's', 't', 'r', 'i', 'c', 't', '"', ';', '{', '\n',
#embed "apple-pay/text.js"
    ,
#embed "apple-pay/conversion.js"
    ,
#embed "apple-pay/codes.js"
    ,
#embed "apple-pay/error.js"
    ,
#embed "apple-pay/dictionaries.js"
    ,
#embed "apple-pay/validation.js"
    ,
#embed "apple-pay/contact.js"
    ,
#embed "apple-pay/gateway.js"
    ,
#embed "apple-pay/controls.js"
    ,
#embed "apple-pay/style.js"
    ,
#embed "apple-pay/contact-form.js"
    ,
#embed "apple-pay/sheet.js"
    ,
#embed "apple-pay/selection.js"
    ,
#embed "apple-pay/payment.js"
    ,
#embed "apple-pay/page.js"
    ,
#embed "apple-pay/session.js"
    ,
#embed "apple-pay/payment-details.js"
    ,
#embed "apple-pay/payment-response.js"
    ,
#embed "apple-pay/payment-request.js"
    ,
#embed "apple-pay/button.js"
    ,
#embed "apple-pay/installation.js"
    , '}', '\n',
};

const uint8_t *assets_apple_pay_script(void) { return script; }

size_t assets_apple_pay_script_count(void) { return sizeof script; }
