package developer

import (
	"time"

	"github.com/gin-gonic/gin"

	"records/internal/scalar"
	"records/internal/viewer"
)

// keyForm is what somebody says of a key, and what is wrong with it.
type keyForm struct {
	Form       string // that was sent, by its random id; see createKey
	Name       string
	Scope      string
	Expiry     string // a choice
	Date       string // where the choice is "date"
	NameFault  string
	ScopeFault string
	DateFault  string
}

// Choices are the expiries that a form offers.
func (keyForm) Choices() []choice { return expiries }

// choice is one of several in a form.
type choice struct {
	Value, Label string
	Days         int
}

var expiries = []choice{
	{"7", "In 7 days", 7},
	{"30", "In 30 days", 30},
	{"90", "In 90 days", 90},
	{"365", "In a year", 365},
	{"never", "Never", 0},
	{"date", "On a day of your choice", 0},
}

func readName(c *gin.Context, f *keyForm) string {
	f.Name = c.PostForm("name")
	if err := scalar.CheckName(f.Name); err != nil {
		f.NameFault = "The name " + err.Error() + "."
	}
	return f.Name
}

func readScope(c *gin.Context, f *keyForm) viewer.Scope {
	f.Scope = c.PostForm("scope")
	scope, err := viewer.ParseScope(f.Scope)
	if err != nil {
		f.ScopeFault = "Choose what the key may do."
	}
	return scope
}

// readExpiry reads when a key is to end; nil is never.
func readExpiry(c *gin.Context, f *keyForm) *time.Time {
	f.Expiry, f.Date = c.PostForm("expiry"), c.PostForm("date")
	now := time.Now().UTC().Truncate(time.Millisecond)
	for _, choice := range expiries {
		if choice.Value == f.Expiry && choice.Days > 0 {
			end := now.AddDate(0, 0, choice.Days)
			return &end
		}
	}
	switch f.Expiry {
	case "never":
		return nil
	case "date":
		return readDate(f, now)
	}
	f.DateFault = "Choose when the key ends."
	return nil
}

// readDate reads a day, at whose end in UTC the key ends.
func readDate(f *keyForm, now time.Time) *time.Time {
	day, err := time.Parse(time.DateOnly, f.Date)
	end := day.AddDate(0, 0, 1).Add(-time.Millisecond)
	switch {
	case err != nil:
		f.DateFault = "Choose a day, such as 2027-01-31."
	case !end.After(now):
		f.DateFault = "The day must not be over. To end the key now, revoke it."
	}
	return &end
}

// Faulty reports whether anything is wrong.
func (f keyForm) Faulty() bool { return f.NameFault != "" || f.ScopeFault != "" || f.DateFault != "" }
