"""A person who signs in at the pages in a browser."""

from playwright.sync_api import Page, expect

from tests.system.browser.pages import OpenPage


def sign_in(open_page: OpenPage, address: str, token: str, place: str = "/account") -> Page:
    """Sign in with the form, as from a link on a page; return the page that comes then."""
    page = open_page(f"{address}/sign-in?next={place}")
    page.get_by_label("Your token").fill(token)
    page.locator("form.entry button").click()
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    return page
