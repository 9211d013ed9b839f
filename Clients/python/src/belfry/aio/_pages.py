"""Lists that come in pages."""

from __future__ import annotations

from typing import Any

from .._rpc import Request, Response, Unary
from ._calls import Calls

# As many as a page may have.
_PAGE_SIZE = 1_000


async def all_pages(
    calls: Calls, rpc: Unary[Request, Response], request: Request, field: str
) -> list[Any]:
    """All entries of a list, of all its pages."""
    asked: Any = request
    asked.page_size = _PAGE_SIZE
    found: list[Any] = []
    while True:
        page: Any = await calls.call(rpc, asked)
        found += getattr(page, field)
        if not page.next_page_token:
            return found
        asked.page_token = page.next_page_token
