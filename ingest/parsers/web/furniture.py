"""Leaves out what stands on every page of a site: menus, banners, side bars, footers, lists of links.

The main content is never lost: what holds a good part of the page's own words stays, whatever it is called.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from ingest.parsers.web.tree import Element, visible_size

_ALWAYS_TAGS: Final = frozenset({"nav", "select", "textarea"})
_ALWAYS_ROLES: Final = frozenset({"navigation", "search", "menu", "menubar", "toolbar", "alertdialog"})
_SITE_ROLES: Final = frozenset({"banner", "contentinfo", "complementary"})
_ALWAYS_CLASSES: Final = frozenset(
    [
        "breadcrumb", "breadcrumbs", "pagination", "pager", "sharethis-buttons", "social-share",
        "share-buttons", "mw-editsection", "navbox", "catlinks", "mw-jump-link", "printfooter",
        "mw-cite-backlink", "vector-dropdown", "vector-page-toolbar", "vector-column-end",
        "mw-portlet", "skip-link", "skip-nav", "skiplink", "headerlink",
    ]
)  # fmt: skip
# Words in a class or id that make a suspicion; links in it make it certain.
_SITE_WORDS: Final = frozenset(
    [
        "nav", "navbar", "navigation", "navi", "menu", "sidebar", "side", "topbar", "header",
        "footer", "share", "social", "related", "recommend", "toc", "hot", "rank", "ads", "advert",
        "banner", "login", "search", "toolbar", "links", "friendlink", "catlinks", "tags", "crumb",
        "crumbs", "sitemap",
    ]
)  # fmt: skip
_FOOTER_WORDS: Final = frozenset({"footer", "foot", "copyright", "site-footer", "page-footer"})
_COOKIE_WORDS: Final = frozenset({"cookie", "cookies", "gdpr", "consent"})
_SKIP_LINK: Final = re.compile(r"(?:skip|jump) to\b|跳(?:转)?(?:到|至)", re.IGNORECASE)
_CONTENT_TAGS: Final = frozenset({"main", "article"})
_GROUPS: Final = frozenset({"ul", "ol", "dl", "div", "section", "table", "center"})
_QUESTION_TAGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "summary", "dt", "th", "caption"})
# Shares and sizes below were set by reading the pages of the format zoo; characters are visible ones.
_LINK_SHARE, _SUSPECT_LINK_SHARE = 0.75, 0.6
_FEWEST_LINKS, _LONGEST_LINK = 4, 40
_OWN_WORDS = 200
_MAIN_SHARE = 0.6
_LOST_SHARE = 0.6


class _Weight(NamedTuple):
    """Visible characters inside, of these in links, and the number of links to other pages."""

    size: int
    linked: int
    links: int

    @property
    def own(self) -> int:
        return self.size - self.linked

    @property
    def link_share(self) -> float:
        return self.linked / self.size if self.size else 0.0


def drop_furniture(root: Element) -> int:
    """Takes the site's furniture out of the tree of a page; returns the number of characters in it."""
    body = next(root.all("body"), root)
    weights: dict[int, _Weight] = {}
    _weigh(body, weights, False)
    finder = _Finder(body, weights)
    dropped = {id(element): element for element in finder.found()}
    own = weights[id(body)].own
    if sum(weights[key].own for key in dropped) > _LOST_SHARE * own:
        # The page is built in a way not foreseen here: only what is certain goes.
        dropped = {key: element for key, element in dropped.items() if element.tag == "nav"}
    left_out = sum(weights[key].size for key in dropped)
    if left_out >= weights[id(body)].size:
        return 0
    _drop(body, dropped)
    return left_out + _keep_main(body)


def _weigh(element: Element, weights: dict[int, _Weight], in_link: bool) -> _Weight:
    target = element.get("href") if element.tag == "a" else ""
    in_link = in_link or bool(target)
    size = linked = 0
    links = 1 if target and not target.startswith("#") else 0
    for child in element.children:
        if isinstance(child, str):
            count = visible_size(child)
            size, linked = size + count, linked + (count if in_link else 0)
        else:
            inner = _weigh(child, weights, in_link)
            size, linked, links = size + inner.size, linked + inner.linked, links + inner.links
    weights[id(element)] = _Weight(size=size, linked=linked, links=links)
    return weights[id(element)]


class _Finder:
    """Finds the furniture of one page; changes nothing."""

    def __init__(self, body: Element, weights: dict[int, _Weight]) -> None:
        self._body, self._weights = body, weights
        self._own = weights[id(body)].own
        self._headings = sum(1 for _ in body.all("h1"))

    def found(self) -> Iterator[Element]:
        """The outermost elements that are furniture, in document order."""
        yield from self._inside(self._body, False, False)

    def _inside(self, element: Element, in_content: bool, in_section: bool) -> Iterator[Element]:
        in_content = in_content or element.tag in _CONTENT_TAGS or element.get("role") == "main"
        in_section = in_section or in_content or element.tag == "section"
        for child in element.elements():
            weight = self._weights[id(child)]
            # Half of the page's own words are no furniture.
            if (
                weight.size
                and weight.own <= self._own / 2
                and (
                    self._is_furniture_anywhere(child, element)
                    or (not in_content and self._is_furniture_of_site(child, weight, in_section))
                    or (child.tag == "aside" and weight.link_share >= _LINK_SHARE)
                )
            ):
                yield child
            else:
                yield from self._inside(child, in_content, in_section)

    def _is_furniture_anywhere(self, element: Element, parent: Element) -> bool:
        if not element.attributes and element.tag not in _ALWAYS_TAGS:
            return element.tag == "button" and parent.tag not in _QUESTION_TAGS
        if element.tag == "button":
            # Questions that fold out their answers are buttons too.
            return parent.tag not in _QUESTION_TAGS and "aria-expanded" not in element.attributes
        if element.tag == "a" and element.get("href").startswith("#"):
            return _SKIP_LINK.match(element.text().strip()) is not None
        names = element.words("class") | element.words("id")
        return (
            element.tag in _ALWAYS_TAGS
            or element.get("role").lower() in _ALWAYS_ROLES
            or bool(names & _ALWAYS_CLASSES)
        )

    def _is_furniture_of_site(self, element: Element, weight: _Weight, in_section: bool) -> bool:
        if self._holds_the_title(element):
            return False
        if element.tag in ("header", "footer"):
            return not in_section
        if element.tag == "aside" or element.get("role").lower() in _SITE_ROLES:
            return True
        return self._is_named_like_furniture(element, weight) or self._is_list_of_links(element, weight)

    def _holds_the_title(self, element: Element) -> bool:
        return self._headings == 1 and element.has("h1")

    def _is_named_like_furniture(self, element: Element, weight: _Weight) -> bool:
        names = element.words("class") | element.words("id")
        words = {word for name in names for word in re.split(r"[^a-z0-9]+", name)}
        if words & _COOKIE_WORDS and element.has("button", "a", "input"):
            return weight.own <= self._own / 5
        if names & _FOOTER_WORDS:
            return weight.own <= self._own / 5
        return bool(words & _SITE_WORDS) and weight.link_share >= _SUSPECT_LINK_SHARE

    def _is_list_of_links(self, element: Element, weight: _Weight) -> bool:
        """Whether it is a menu in all but name, on a page that has words besides its links."""
        return (
            element.tag in _GROUPS
            and weight.links >= _FEWEST_LINKS
            and weight.link_share >= _LINK_SHARE
            and weight.linked / weight.links <= _LONGEST_LINK
            and self._own >= _OWN_WORDS
            and weight.size <= self._own
        )


def _drop(element: Element, dropped: dict[int, Element]) -> None:
    for inner in [element, *element.all()] if dropped else ():
        if any(id(child) in dropped for child in inner.children):
            inner.children = [child for child in inner.children if id(child) not in dropped]


def _keep_main(body: Element) -> int:
    """Leaves nothing but ``<main>`` or the only article (and the page's title) where it holds most words."""
    main = _main(body)
    if main is None:
        return 0
    weights: dict[int, _Weight] = {}
    before = _weigh(body, weights, False)
    if weights[id(main)].own < max(_MAIN_SHARE * before.own, 1):
        return 0
    title = None if main.has("h1") else next(body.all("h1"), None)
    kept = [title, main] if title is not None else [main]
    body.children = [*kept]
    return before.size - sum(weights[id(element)].size for element in kept)


def _main(body: Element) -> Element | None:
    mains = [element for element in body.all() if element.tag == "main" or element.get("role") == "main"]
    if mains:
        return mains[0]
    articles = list(body.all("article"))
    inner = {id(nested) for article in articles for nested in article.all("article")}
    outermost = [article for article in articles if id(article) not in inner]
    return outermost[0] if len(outermost) == 1 else None
