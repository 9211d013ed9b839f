"""What a phone's camera reads of a code that a page shows."""

import re

import zxingcpp

from harness.browser import Page

# Points of a picture for each square of a code.
SCALE = 4


def read_code(page: Page, selector: str) -> str:
    """The text of a code that is drawn as squares of one path, each as `M3,4h1v1h-1z`."""
    told = page.run(
        f"""(() => {{
          const shown = document.querySelector({selector!r});
          const {{ width, height }} = shown.getBoundingClientRect();
          const {{ backgroundColor, fill }} = getComputedStyle(shown);
          return {{ d: shown.firstChild.getAttribute("d"), size: shown.viewBox.baseVal.width,
            width, height, backgroundColor, fill }};
        }})()"""
    )
    # A camera needs dark on light, and squares of a size.
    assert (told["backgroundColor"], told["fill"]) == ("rgb(255, 255, 255)", "rgb(0, 0, 0)")
    assert told["width"] == told["height"] >= 3 * told["size"]
    width = told["size"] * SCALE
    picture = bytearray(b"\xff" * width * width)
    for x, y in re.findall(r"M(\d+),(\d+)h1v1h-1z", told["d"]):
        for line in range(int(y) * SCALE, (int(y) + 1) * SCALE):
            start = line * width + int(x) * SCALE
            picture[start : start + SCALE] = bytes(SCALE)
    (found,) = zxingcpp.read_barcodes(memoryview(bytes(picture)).cast("B", shape=[width, width]))
    return found.text
