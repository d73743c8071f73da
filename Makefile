# What a developer runs. `make` alone lists it.

GO ?= go
# No path of this machine in what is built, so that the build cache serves a copy
# of the source too: some tests build one. nomsgpack leaves a codec out of Gin that
# nothing here uses, and that takes 11 MB of memory.
export GOFLAGS := $(GOFLAGS) -trimpath -tags=nomsgpack
# Starts the PostgreSQL and Redis that tests need, finds PgBouncer, nginx and Chromium, and
# installs them if it can.
WITH_SERVERS := $(GO) run ./internal/withservers
# The race detector needs a C compiler; Go turns cgo off where there is none.
RACE = $(if $(filter 1,$(shell $(GO) env CGO_ENABLED)),-race)
# The tools are pinned in tools/go.mod, and built once for each version of Go.
TOOLS = .bin/tools-$(shell $(GO) env GOVERSION)

# The linters of the API's description and the clients that are generated from it.
OPENAPI := tools/openapi
MODULES := $(OPENAPI)/node_modules/.package-lock.json
# axe, which the tests in a browser hold every page to.
AXE := tools/browser/node_modules/.package-lock.json
# The newest migration that was released; those after it are still to be judged.
released = $(lastword $(sort $(shell sed -nE 's|.*/([0-9]{14})_.*|\1|p' internal/release/testdata/*/migrations.sha256)))

# Of `make test` and `make fuzz`.
packages ?= ./...
fuzztime ?= 20000x
fuzzed ?= cmd config ent internal migrate

# A text for between the single quotes of a shell.
quote = $(subst ','\'',$(1))

.DEFAULT_GOAL := help
.NOTPARALLEL:
.DELETE_ON_ERROR:

.PHONY: help
help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-22s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

.PHONY: run
run: ## serve a demo workspace from an SQLite file, and print a key
	$(GO) run ./cmd/records serve --demo

.PHONY: build
build: ## build ./records
	$(GO) build -o records ./cmd/records

.PHONY: test
test: $(if $(filter ./... ./internal/... ./internal/developer%,$(packages)),$(AXE)) ## run all tests, on SQLite and on a throwaway PostgreSQL and Redis, in Chromium too (packages=./...)
	$(if $(RACE),,@echo "make test: without the race detector, which needs a C compiler")
	$(WITH_SERVERS) -- $(GO) test $(RACE) -timeout 30m $(packages)

# Never part of `make ci`: what it prints depends on what else the machine does.
# BENCH=short takes 3 minutes instead of 15.
.PHONY: bench
bench: ## measure the program against hand-written code (BENCH=short, flags='-databases sqlite'), see docs/performance.md
	@$(WITH_SERVERS) -only postgres -durable -- $(GO) run ./internal/bench $(flags)

# Never part of `make ci`, in which the same runs for a moment.
operations ?= 1000000
.PHONY: prove
prove: ## send random requests for long, and hold each answer against a model (operations=1000000 flags='-seed 7')
	$(WITH_SERVERS) -only postgres -- $(GO) test -count=1 -timeout 0 -v -run '^TestProve$$' ./internal/prove -args -operations $(operations) $(flags)

# Never part of `make ci`, in which the same runs for a moment.
minutes ?= 10
.PHONY: prove-outages
prove-outages: ## kill, freeze, cut off and overload, and look for each acknowledged write (minutes=10 flags='-seed 7')
	$(WITH_SERVERS) -only postgres-programs -- $(GO) test -count=1 -timeout 0 -v -run '^TestOutages$$' ./internal/outages -args -minutes $(minutes) $(flags)

changes ?= 1000
.PHONY: prove-keys
prove-keys: ## change keys for long, and time when each of three replicas goes by it (changes=1000)
	$(WITH_SERVERS) -only postgres -- $(GO) test -count=1 -timeout 0 -v -run '^TestKeyChangesHoldOnEveryReplica$$' ./internal/replicas -args -changes $(changes)

# The old program is one that was built of an earlier release.
rows ?= 500000
.PHONY: prove-upgrade
prove-upgrade: ## upgrade many records under load, and time the slowest request (rows=500000 old=./records-0.1.0)
	$(WITH_SERVERS) -only postgres,redis,nginx,curl -- $(GO) test -count=1 -timeout 20m -v -run '^TestUpgradeUnderLoad$$' ./internal/replicas -args -rows $(rows) -old '$(abspath $(old))'

.PHONY: prove-faults
prove-faults: ## plant one fault after another, and see the tests catch it (flags='-only cache'), see docs/faults.md
	@$(WITH_SERVERS) -- $(GO) run ./internal/faults $(flags)

# go test fuzzes one target at a time. By count, because a target whose time is up
# can fail for that alone: https://go.dev/issue/75804, mended in Go 1.27.
.PHONY: fuzz
fuzz: ## run every fuzz target for a moment (fuzztime=20000x)
	@grep -rEo --include='*_test.go' '^func Fuzz[A-Za-z0-9_]*' $(fuzzed) \
		| sed -E 's|/[^/]*:func | |' | sort \
		| while read -r folder target; do \
			echo "$$folder: $$target"; \
			$(GO) test -run "^$$target$$" -fuzz "^$$target$$" -fuzztime $(fuzztime) "./$$folder" </dev/null || exit 1; \
		done

.PHONY: resource
resource: ## write a commented schema to begin a resource with (name=Ticket)
	@$(GO) run ./internal/restgen/starter -name '$(name)'

.PHONY: generate
generate: ## write the generated code of ent/ from the schemas
	$(GO) generate ./ent/generate.go

# Of the generated code: what an edited schema has left behind would be overlooked.
.PHONY: migration
migration: generate ## write the next migration of both dialects (name=add_tickets reason='…' to drop)
	@$(WITH_SERVERS) -only postgres -- $(GO) run ./migrate/generate -name '$(call quote,$(or $(name),schema))' -reason '$(call quote,$(reason))' -released $(released)

.PHONY: migration-sums
migration-sums: ## renew the checksums of the migrations, after one was written or amended by hand
	@$(GO) run ./migrate/generate -sums

.PHONY: release
release: verify-generated lint-migrations ## record a release (version=0.2.0), see docs/release.md
	@$(WITH_SERVERS) -only postgres -- sh -c '$(GO) test -run "^(TestNothingReleasedIsBroken|TestEveryReleaseUpgrades)$$" ./internal/release \
		&& $(GO) run ./internal/release -version "$(version)"'

.PHONY: lint
lint: $(TOOLS) ## look for mistakes and for imports across the house's walls
	.bin/golangci-lint run ./...

.PHONY: fmt
fmt: $(TOOLS) ## format what is written by hand
	.bin/golangci-lint fmt

.PHONY: verify
verify: verify-modules verify-generated verify-migrations lint-migrations lint vulnerabilities ## check all that is not a test

.PHONY: verify-modules
verify-modules: ## check that go.mod and go.sum are tidy
	@$(GO) mod tidy -diff || { echo "make verify: go.mod or go.sum is not tidy: run 'go mod tidy'"; exit 1; }
	@$(GO) -C tools mod tidy -diff || { echo "make verify: tools/go.mod or tools/go.sum is not tidy: run 'go -C tools mod tidy'"; exit 1; }
	@$(GO) -C tools/identity mod tidy -diff || { echo "make verify: tools/identity/go.mod or tools/identity/go.sum is not tidy: run 'go -C tools/identity mod tidy'"; exit 1; }

# Compares with what was there before, not with the last commit, so that work in
# progress passes and is not touched.
.PHONY: verify-generated
verify-generated: ## check that the generated code is what the schemas declare
	@state() { find ent docs/resources.md -type f -exec cksum {} + | sort; }; \
	before=$$(state) && $(GO) generate ./ent/generate.go && after=$$(state) || exit 1; \
	[ "$$before" = "$$after" ] || { \
		git --no-pager diff --stat -- ent docs; git ls-files --others --exclude-standard ent docs; \
		echo "make verify: the generated code was not what the schemas declare. It is now: look at ent/ and docs/resources.md and commit them"; \
		exit 1; }

# In a copy: a check must not leave a migration behind that nobody has named.
.PHONY: verify-migrations
verify-migrations: ## check that the migrations give what the schemas declare
	@copy=$$(mktemp -d) && trap 'rm -rf "$$copy"' EXIT && cp -R migrate/postgres migrate/sqlite migrate/kinds.json "$$copy" \
	&& $(WITH_SERVERS) -only postgres -- $(GO) run ./migrate/generate -folder "$$copy" -name missing || exit 1; \
	changed=; for part in postgres sqlite kinds.json; do diff -ruN migrate/$$part "$$copy/$$part" || changed=yes; done; \
	[ -z "$$changed" ] || { echo "make verify: a migration is missing: run 'make migration name=WHAT_IT_DOES' and commit it"; exit 1; }

.PHONY: lint-migrations
lint-migrations: ## look for what is unsafe in the migrations since the last release
	@output=$$($(GO) run ./cmd/records migrate lint --since $(released) 2>&1) && echo "$$output" || { \
		echo "$$output"; \
		case "$$output" in \
			*"do not match their atlas.sum"*) echo "make verify: a migration was changed by hand: run 'make migration-sums' and commit the checksums" ;; \
			*"findings in the migrations"*) echo "make verify: a migration since the last release is unsafe: do it as it says there, or allow it with a reason" ;; \
			*) echo "make verify: the migrations were not judged" ;; \
		esac; exit 1; }

# Its database is on the network. A build without one goes on, and says so.
.PHONY: vulnerabilities
vulnerabilities: $(TOOLS) ## look for known vulnerabilities in what we call
	@output=$$(.bin/govulncheck ./... 2>&1); status=$$?; \
	case "$$status:$$output" in \
		[!0]*"fetching vulnerabilities:"*) echo "govulncheck was not run: its database cannot be reached from here" ;; \
		*) echo "$$output"; exit $$status ;; \
	esac

.PHONY: openapi
openapi: openapi-lint openapi-clients ## lint the API's description, and drive the program by clients generated from it

.PHONY: openapi-lint
openapi-lint: $(MODULES) ## lint the API's description
	$(WITH_SERVERS) -only node -- $(OPENAPI)/node_modules/.bin/spectral lint --quiet --fail-severity=hint --ruleset $(OPENAPI)/spectral.yaml ent/rest/openapi.json
	REDOCLY_SUPPRESS_UPDATE_NOTICE=true $(WITH_SERVERS) -only node -- $(OPENAPI)/node_modules/.bin/redocly lint --config $(OPENAPI)/redocly.yaml ent/rest/openapi.json

# The test has a build tag, for without the clients it could only fail.
.PHONY: openapi-clients
openapi-clients: $(TOOLS) $(MODULES) ## generate a client in Go and one in TypeScript, and drive the program by them
	@mkdir -p $(OPENAPI)/go/client
	.bin/oapi-codegen -config $(OPENAPI)/client.yaml -o $(OPENAPI)/go/client/client.go ent/rest/openapi.json
	$(WITH_SERVERS) -only node -- $(OPENAPI)/node_modules/.bin/openapi-typescript ent/rest/openapi.json --default-non-nullable=false -o $(OPENAPI)/ts/schema.d.ts
	$(GO) run ./internal/clients ent/rest/openapi.json $(OPENAPI)/go/drive.go.tmpl $(OPENAPI)/ts/drive.ts.tmpl
	$(GO) -C $(OPENAPI)/go mod tidy -diff && $(GO) -C $(OPENAPI)/go vet ./... && $(GO) -C $(OPENAPI)/go build -o driver .
	$(WITH_SERVERS) -only node -- $(OPENAPI)/node_modules/.bin/tsc -p $(OPENAPI)/ts
	$(WITH_SERVERS) -only node,postgres -- $(GO) test -count=1 -timeout 10m -tags clients -run '^(TestGeneratedClients|TestQuickstartInTypeScript)$$' ./cmd/records

.PHONY: ci
ci: ## what a change has to pass: verify, test, openapi, fuzz
	@for step in verify test openapi fuzz; do \
		echo "== $$step"; $(MAKE) --no-print-directory $$step || { echo "== $$step failed"; exit 1; }; \
	done; echo "== all passed"

tools/%/node_modules/.package-lock.json: tools/%/package.json tools/%/package-lock.json tools/%/.npmrc
	@echo "installing the packages of tools/$*"
	$(WITH_SERVERS) -only node -- npm --prefix tools/$* ci
	@touch $@

$(TOOLS): tools/go.mod tools/go.sum
	@echo "building the developer tools into .bin, which takes minutes the first time"
	@mkdir -p .bin && rm -f .bin/tools-*
	$(GO) -C tools build -o ../.bin/ tool
	@touch $@
