package browser

import (
	"testing"

	"github.com/chromedp/chromedp/kb"

	"records/internal/database"
	"records/internal/dbtest"
)

// By keys alone, in the order in which the page is read.
func TestSignInByKeyboard(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		s := begin(t, db)
		s.owner(t)
		b := open(t, s.URL)
		b.visit("/sign-in")
		if at := b.focused(); at != "Email" {
			t.Errorf("the page begins at %q", at)
		}
		b.write(s.email)
		b.keys(kb.Tab)
		if at := b.focused(); at != "Password" {
			t.Fatalf("after the address comes %q", at)
		}
		b.write(password + "!")
		b.leave(func() { b.keys(kb.Enter) })
		b.see("wrong")
		b.hold()

		b.fill("Password", password)
		b.leave(func() { b.keys(kb.Enter) })
		b.see("API keys")
		b.keys(kb.Tab)
		if at := b.focused(); at != "Skip to the content" {
			t.Errorf("the first stop is %q", at)
		}
		b.keys(kb.Enter)
		if at, err := eval[string](b, `() => document.activeElement.id`); at != "main" || err != nil {
			t.Errorf("skipping leads to %q, %v", at, err)
		}
		b.quiet()
	})
}

// Who may not see a page is told so on one that is as well made.
func TestFailures(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		s := begin(t, db)
		s.owner(t)
		b := open(t, s.URL)
		if status := b.visit("/nowhere"); status != 404 {
			t.Errorf("nowhere: %d", status)
		}
		b.hold()
		b.signIn(s.email)
		if status := b.visit("/workspaces/" + s.server.Workspace(t).String() + "/keys"); status != 404 {
			t.Errorf("another's workspace: %d", status)
		}
		b.hold()
	})
}

// A form is sent once, however often its button is pressed, and can be sent again
// when the page is come back to.
func TestFormsAreSentOnce(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		s := begin(t, db)
		b := open(t, s.URL)
		b.visit("/sign-in")
		sent, err := eval[int](b, `() => {
			let sent = 0;
			const form = document.querySelector("main form"), button = form.querySelector("button");
			window.addEventListener("submit", (event) => { sent += !event.defaultPrevented; event.preventDefault(); });
			document.getElementById("email").value = "a@example.com";
			document.getElementById("password").value = "x";
			button.click(); button.click(); button.click();
			if (button.getAttribute("aria-busy") !== "true") return -1;
			window.dispatchEvent(new Event("pageshow"));
			if (button.hasAttribute("aria-busy")) return -2;
			button.click();
			return sent;
		}`)
		if sent != 2 || err != nil {
			t.Errorf("sent %d times, %v", sent, err)
		}
	})
}
