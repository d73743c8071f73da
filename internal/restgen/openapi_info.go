package restgen

import "strings"

// info is what the description says of the whole API: also what holds for every
// path alike, and would only be noise in each operation.
func info(resources []resource) object {
	return object{
		"title": "Workspace Records", "version": "1.0.0",
		"summary":     "Records of one workspace, which the API key fixes.",
		"description": strings.Join(manners(resources), "\n"),
		// Who runs a server answers for it. The program cannot know an address.
		"contact": object{"name": "Whoever runs this server"},
		// No licence comes with the program, and this page says what that means.
		// With a licence, its name and address go here.
		"license": object{"name": "No licence is granted", "url": "https://choosealicense.com/no-permission/"},
	}
}

func manners(resources []resource) []string {
	plurals := make([]string, len(resources))
	for i, r := range resources {
		plurals[i] = r.words()
	}
	return []string{
		"The " + enumerate(plurals) + " of a workspace.",
		"",
		"What holds for every path:",
		"",
		"- `HEAD` answers as `GET` does, without a body. `OPTIONS` answers 204 with `Allow`, and needs no key.",
		"- A method that a path does not take is 405 `method_not_allowed`, with `Allow`; POST, PATCH and DELETE with a key that may only read are 403 `read_only_key` on every path.",
		"- A path that is not described here is 404 `not_found`.",
		"- A query parameter that is not described is 400 `invalid_parameter`.",
		"- A failed request answers `{ error, message }`: a code for programs, a sentence for people. Codes are added over time: judge one that you do not know by the status.",
		"- Members are added to answers over time: ignore those that you do not know.",
		"- `X-Request-Id` of a request, 1 to 128 letters, digits or `._:/+=@-`, is kept; else the server makes one.",
		"- The headers of the ceilings are there while a ceiling is on.",
		"- A body is at most 1 MiB, and not compressed.",
	}
}

// enumerate joins words: a, b and c.
func enumerate(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// word is the resource's name in a sentence: line item.
func (r resource) word() string { return strings.ReplaceAll(r.Name, "_", " ") }

// words is its plural in a sentence: line items.
func (r resource) words() string { return strings.NewReplacer("_", " ", "-", " ").Replace(r.Plural) }

// a is the word with its article.
func a(word string) string {
	if strings.ContainsRune("aeio", rune(word[0])) {
		return "an " + word
	}
	return "a " + word
}
