#include "Assets.h"

#include <stddef.h>

// #embed is C23, which the rest of the package does not need.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char clipboard_js[] = {
#embed "console/clipboard.js"
};
static const unsigned char console_css[] = {
#embed "console/console.css"
};
static const unsigned char console_js[] = {
#embed "console/console.js"
};
static const unsigned char control_js[] = {
#embed "console/control.js"
};
static const unsigned char dialogs_js[] = {
#embed "console/dialogs.js"
};
static const unsigned char element_js[] = {
#embed "console/element.js"
};
static const unsigned char events_js[] = {
#embed "console/events.js"
};
static const unsigned char format_js[] = {
#embed "console/format.js"
};
static const unsigned char icon_svg[] = {
#embed "console/icon.svg"
};
static const unsigned char index_html[] = {
#embed "console/index.html"
};
static const unsigned char inspection_js[] = {
#embed "console/inspection.js"
};
static const unsigned char merchants_js[] = {
#embed "console/merchants.js"
};
static const unsigned char mint_js[] = {
#embed "console/mint.js"
};
static const unsigned char operation_js[] = {
#embed "console/operation.js"
};
static const unsigned char order_js[] = {
#embed "console/order.js"
};
static const unsigned char orders_js[] = {
#embed "console/orders.js"
};
static const unsigned char outcomes_js[] = {
#embed "console/outcomes.js"
};
static const unsigned char reports_js[] = {
#embed "console/reports.js"
};
static const unsigned char request_js[] = {
#embed "console/request.js"
};
static const unsigned char requests_js[] = {
#embed "console/requests.js"
};
static const unsigned char snippets_js[] = {
#embed "console/snippets.js"
};
static const unsigned char tokens_js[] = {
#embed "console/tokens.js"
};
static const unsigned char tree_js[] = {
#embed "console/tree.js"
};

static const EmbeddedFile files[] = {
    {"clipboard.js", clipboard_js, sizeof clipboard_js},
    {"console.css", console_css, sizeof console_css},
    {"console.js", console_js, sizeof console_js},
    {"control.js", control_js, sizeof control_js},
    {"dialogs.js", dialogs_js, sizeof dialogs_js},
    {"element.js", element_js, sizeof element_js},
    {"events.js", events_js, sizeof events_js},
    {"format.js", format_js, sizeof format_js},
    {"icon.svg", icon_svg, sizeof icon_svg},
    {"index.html", index_html, sizeof index_html},
    {"inspection.js", inspection_js, sizeof inspection_js},
    {"merchants.js", merchants_js, sizeof merchants_js},
    {"mint.js", mint_js, sizeof mint_js},
    {"operation.js", operation_js, sizeof operation_js},
    {"order.js", order_js, sizeof order_js},
    {"orders.js", orders_js, sizeof orders_js},
    {"outcomes.js", outcomes_js, sizeof outcomes_js},
    {"reports.js", reports_js, sizeof reports_js},
    {"request.js", request_js, sizeof request_js},
    {"requests.js", requests_js, sizeof requests_js},
    {"snippets.js", snippets_js, sizeof snippets_js},
    {"tokens.js", tokens_js, sizeof tokens_js},
    {"tree.js", tree_js, sizeof tree_js},
};

const EmbeddedFile *console_file(size_t index) {
    return index < sizeof files / sizeof files[0] ? &files[index] : NULL;
}
