"""Take a PNG or JPEG, make the number of its pixels, or say why it cannot be printed."""

from __future__ import annotations

import base64
import io
import warnings
from functools import lru_cache

from generator.art import css
from generator.errors import MisfitError

MAX_PIXELS = 25_000_000  # 5,000 x 5,000: a Letter page at 450 dpi
_MOST_SCANS = 100  # of a JPEG that is shown step by step; programs make ten
_SCAN = b"\xff\xda"
_AGAIN = "open it in its editor and export it again"


def count_pixels(content: bytes, format_: str) -> int:
    """Raises MisfitError when this is no "png" or "jpeg", or one too large to open."""
    from PIL import Image

    if format_ == "jpeg" and content.count(_SCAN) > _MOST_SCANS:  # each goes over all pixels
        raise MisfitError("the picture is drawn in too many steps", _AGAIN)
    try:
        with warnings.catch_warnings():  # the size is judged here
            warnings.simplefilter("ignore")
            with Image.open(io.BytesIO(content), formats=[format_]) as image:
                pixels = image.width * image.height
                if pixels <= MAX_PIXELS:
                    image.load()
    except Image.DecompressionBombError:
        pixels = MAX_PIXELS + 1
    except MemoryError:
        raise
    except Exception:  # whatever a broken file makes of the library
        raise MisfitError(f"this is not a readable {format_.upper()} picture", _AGAIN) from None
    if pixels > MAX_PIXELS:
        raise MisfitError("the picture has too many pixels", f"at most {MAX_PIXELS:,}")
    return pixels


@lru_cache(maxsize=64)  # what stands on every card is looked at once
def count_embedded(uri: str) -> int:
    """The same for a `data:` URI; 0 when it is none."""
    picture = css.picture_of(uri)
    if picture is None:
        return 0
    format_, text = picture
    try:
        content = base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except ValueError:  # of base64, or a letter that is not even ASCII
        raise MisfitError("the embedded picture is not readable", "embed it again") from None
    return count_pixels(content, format_)
