#include "CBelfryPage.h"

static const char script[] = "text/javascript; charset=utf-8";

static const unsigned char index_html[] = {
#embed "../../Clients/page/index.html"
};
static const unsigned char page_css[] = {
#embed "../../Clients/page/page.css"
};
static const unsigned char icon_svg[] = {
#embed "../../Clients/page/icon.svg"
};
static const unsigned char page_js[] = {
#embed "../../Clients/page/page.js"
};
static const unsigned char session_js[] = {
#embed "../../Clients/page/session.js"
};
static const unsigned char dom_js[] = {
#embed "../../Clients/page/dom.js"
};
static const unsigned char center_js[] = {
#embed "../../Clients/page/center.js"
};
static const unsigned char device_js[] = {
#embed "../../Clients/page/device.js"
};
static const unsigned char sounds_js[] = {
#embed "../../Clients/page/sounds.js"
};
static const unsigned char operator_js[] = {
#embed "../../Clients/page/operator.js"
};
static const unsigned char settings_js[] = {
#embed "../../Clients/page/settings.js"
};
static const unsigned char upcoming_js[] = {
#embed "../../Clients/page/upcoming.js"
};
static const unsigned char history_js[] = {
#embed "../../Clients/page/history.js"
};
static const unsigned char schedule_js[] = {
#embed "../../Clients/page/schedule.js"
};
static const unsigned char triggers_js[] = {
#embed "../../Clients/page/triggers.js"
};
static const unsigned char qr_js[] = {
#embed "../../Clients/page/qr.js"
};
// Debian's node-qrcode-generator, which .ci/setup installs.
static const unsigned char qrcode_js[] = {
#embed "/usr/share/nodejs/qrcode-generator/qrcode.js"
};
static const unsigned char push_js[] = {
#embed "../../Clients/page/push.js"
};
static const unsigned char worker_js[] = {
#embed "../../Clients/page/worker.js"
};
static const unsigned char manifest_json[] = {
#embed "../../Clients/page/manifest.webmanifest"
};
static const unsigned char icon_192_png[] = {
#embed "../../Clients/page/icon-192.png"
};
static const unsigned char icon_512_png[] = {
#embed "../../Clients/page/icon-512.png"
};
static const unsigned char belfry_js[] = {
#embed "../../Clients/js/belfry.js"
};

static const CBelfryPageFile files[] = {
    {"index.html", "text/html; charset=utf-8", index_html, sizeof index_html},
    {"page.css", "text/css; charset=utf-8", page_css, sizeof page_css},
    {"icon.svg", "image/svg+xml", icon_svg, sizeof icon_svg},
    {"page.js", script, page_js, sizeof page_js},
    {"session.js", script, session_js, sizeof session_js},
    {"dom.js", script, dom_js, sizeof dom_js},
    {"center.js", script, center_js, sizeof center_js},
    {"device.js", script, device_js, sizeof device_js},
    {"sounds.js", script, sounds_js, sizeof sounds_js},
    {"operator.js", script, operator_js, sizeof operator_js},
    {"settings.js", script, settings_js, sizeof settings_js},
    {"upcoming.js", script, upcoming_js, sizeof upcoming_js},
    {"history.js", script, history_js, sizeof history_js},
    {"schedule.js", script, schedule_js, sizeof schedule_js},
    {"triggers.js", script, triggers_js, sizeof triggers_js},
    {"push.js", script, push_js, sizeof push_js},
    {"worker.js", script, worker_js, sizeof worker_js},
    {"manifest.webmanifest", "application/manifest+json", manifest_json, sizeof manifest_json},
    {"icon-192.png", "image/png", icon_192_png, sizeof icon_192_png},
    {"icon-512.png", "image/png", icon_512_png, sizeof icon_512_png},
    {"qr.js", script, qr_js, sizeof qr_js},
    {"qrcode.js", script, qrcode_js, sizeof qrcode_js},
    {"belfry.js", script, belfry_js, sizeof belfry_js},
};

const CBelfryPageFile *CBelfryPageFileAt(size_t place) {
  return place < sizeof files / sizeof files[0] ? &files[place] : NULL;
}
