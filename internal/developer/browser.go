package developer

import (
	"strings"
	"unicode/utf8"
)

// browserName makes a few words of what a browser calls itself. It only helps people
// to tell their sessions apart: a browser can call itself anything.
func browserName(agent string) string {
	name, system := firstOf(agent, browsers), firstOf(agent, systems)
	switch {
	case name != "" && system != "":
		return name + " on " + system
	case name != "":
		return name
	case agent == "":
		return "Unknown browser"
	}
	const most = 40 // characters
	if utf8.RuneCountInString(agent) > most {
		return string([]rune(agent)[:most]) + "…"
	}
	return agent
}

// browsers and systems by what they call themselves. Those that name others too, to
// pass for them, come first.
var (
	browsers = [][2]string{{"Edg", "Edge"}, {"OPR/", "Opera"}, {"Firefox/", "Firefox"}, {"Chrom", "Chrome"}, {"Safari/", "Safari"}}
	systems  = [][2]string{{"Android", "Android"}, {"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Windows", "Windows"}, {"Mac OS X", "macOS"}, {"CrOS", "ChromeOS"}, {"Linux", "Linux"}}
)

func firstOf(agent string, names [][2]string) string {
	for _, n := range names {
		if strings.Contains(agent, n[0]) {
			return n[1]
		}
	}
	return ""
}
