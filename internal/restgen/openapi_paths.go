package restgen

// addOwn describes the description itself. It is no resource, and needs no key.
func (d *description) addOwn() {
	d.tag("description", "What this API can do, for programs.", api)
	get := d.operation("getOpenAPI", "description", api, "Get this description",
		"The description of the API in OpenAPI 3.1. It needs no key, and counts on the ceiling of the address alone.")
	get["security"] = []object{}
	get["responses"] = d.answers("200", object{
		"description": "The document at hand.", "headers": d.standardHeaders(),
		"content": object{"application/json": object{"schema": object{"type": "object", "additionalProperties": true, "description": "An OpenAPI 3.1 document."}}},
	}, invalidParameter(noParameters), addressLimited)
	d.paths["/openapi.json"] = object{"get": get}
}

func (d *description) listPath(r resource) object {
	get := d.operation("list"+r.Plurals, r.Plural, r.owner(), "List "+r.words(),
		"One page of the workspace's "+r.words()+", newest first: by `id`, descending. Past the end `data` is empty.")
	get["parameters"] = []object{d.parameter("PageLimit"), d.parameter("PageOffset")}
	get["responses"] = d.answers("200", d.good("One page, and the exact total.", r.Type+"List", listExamples(r)),
		invalidParameter(badLimit), unauthorized, rateLimited, internalError, unavailable)
	path := object{"get": get}
	if r.ReadOnly {
		return path
	}
	d.schema(r.Type+"Create", r, inputSchema(r, true))
	post := d.operation("create"+r.Type, r.Plural, r.owner(), "Create "+a(r.word()),
		"The same request twice makes two records: after a lost answer, look before you repeat it.")
	post["requestBody"] = body(r.Type+"Create", createExamples(r), "application/json")
	created := d.good("The new record.", r.Type, createdExamples(r))
	created["headers"].(object)["Location"] = d.header("Location")
	post["responses"] = d.answers("201", created, d.writeFailures(r, true)...)
	path["post"] = post
	return path
}

func (d *description) itemPath(r resource) object {
	get := d.operation("get"+r.Type, r.Plural, r.owner(), "Get "+a(r.word()),
		"The record with this id. An id that is malformed or of another workspace is 404 like one that does not exist.")
	get["responses"] = d.answers("200", d.good("The record.", r.Type, recordExamples(r)),
		invalidParameter(noParameters), unauthorized, notFound, rateLimited, internalError, unavailable)
	path := object{"parameters": []object{d.parameter("RecordId")}, "get": get}
	if r.ReadOnly {
		return path
	}
	d.schema(r.Type+"Update", r, inputSchema(r, false))
	patch := d.operation("update"+r.Type, r.Plural, r.owner(), "Update "+a(r.word()),
		"A merge patch (RFC 7396) on the top level: a field left out stays as it is, null clears it.")
	patch["requestBody"] = body(r.Type+"Update", updateExamples(r), "application/json", "application/merge-patch+json")
	patch["responses"] = d.answers("200", d.good("The record as it now is.", r.Type, updatedExamples(r)),
		append(d.writeFailures(r, false), notFound)...)
	path["patch"] = patch
	remove := d.operation("delete"+r.Type, r.Plural, r.owner(), "Delete "+a(r.word()),
		"What refers to the record is set to null. There is no 404: `deleted` is false when this request removed nothing.")
	d.schemas["Deleted"] = deletedSchema()
	d.claim("Deleted", api)
	remove["responses"] = d.answers("200", d.good("Whether this request removed the record.", "Deleted", deletedExamples(r)),
		invalidParameter(noParameters), unauthorized, readOnlyKey, rateLimited, internalError, writeUnavailable)
	path["delete"] = remove
	return path
}

// writeFailures are those of a request with a body.
func (d *description) writeFailures(r resource, create bool) []failure {
	all := []failure{invalidBody(r, create), unauthorized, readOnlyKey, requestTimeout, payloadTooLarge, unsupportedMedia, rateLimited, internalError, writeUnavailable}
	if create && r.Clashes || !create && r.UpdateClashes {
		all = append(all, conflict)
	}
	return all
}

func (d *description) operation(id, tag string, whose owner, summary, about string) object {
	d.claim(id, whose)
	return object{"operationId": id, "tags": []string{tag}, "summary": summary, "description": about}
}

// answers lists the responses of an operation: the good one, then the failures.
func (d *description) answers(status string, good object, failures ...failure) object {
	out := object{status: good, "default": d.failure(otherFailure)}
	for _, f := range failures {
		out[f.status] = d.failure(f)
	}
	return out
}

func (d *description) good(about, schema string, examples object) object {
	return object{
		"description": about, "headers": d.standardHeaders(),
		"content": object{"application/json": object{"schema": ref("schemas/" + schema), "examples": examples}},
	}
}

func body(schema string, examples object, types ...string) object {
	content := object{}
	for _, t := range types {
		content[t] = object{"schema": ref("schemas/" + schema), "examples": examples}
	}
	return object{"required": true, "content": content}
}
