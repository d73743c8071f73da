# What a developer runs. `make` alone lists it.

GO ?= go
# Starts the PostgreSQL and Redis that tests need, and installs them if it can.
WITH_SERVERS := $(GO) run ./internal/withservers
# The race detector needs a C compiler; Go turns cgo off where there is none.
RACE = $(if $(filter 1,$(shell $(GO) env CGO_ENABLED)),-race)
# The tools are pinned in tools/go.mod, and built once for each version of Go.
TOOLS = .bin/tools-$(shell $(GO) env GOVERSION)

# Of `make fuzz`.
fuzztime ?= 20000x

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
	$(GO) build -trimpath -o records ./cmd/records

.PHONY: test
test: ## run all tests, on SQLite and on a throwaway PostgreSQL and Redis
	$(if $(RACE),,@echo "make test: without the race detector, which needs a C compiler")
	$(WITH_SERVERS) -- $(GO) test $(RACE) -timeout 15m ./...

# go test fuzzes one target at a time. By count, because a target whose time is up
# can fail for that alone: https://go.dev/issue/75804, mended in Go 1.27.
.PHONY: fuzz
fuzz: ## run every fuzz target for a moment (fuzztime=20000x)
	@grep -rEo --include='*_test.go' '^func Fuzz[A-Za-z0-9_]*' cmd config ent internal migrate \
		| sed -E 's|/[^/]*:func | |' | sort \
		| while read -r folder target; do \
			echo "$$folder: $$target"; \
			$(GO) test -run "^$$target$$" -fuzz "^$$target$$" -fuzztime $(fuzztime) "./$$folder" </dev/null || exit 1; \
		done

.PHONY: generate
generate: ## write the generated code of ent/ from the schemas
	$(GO) generate ./ent/generate.go

.PHONY: migration
migration: ## write the next migration of both dialects (name=add_tickets reason='…' to drop)
	@$(WITH_SERVERS) -only postgres -- $(GO) run ./migrate/generate -name '$(call quote,$(or $(name),schema))' -reason '$(call quote,$(reason))'

.PHONY: lint
lint: $(TOOLS) ## look for mistakes and for imports across the house's walls
	.bin/golangci-lint run ./...

.PHONY: fmt
fmt: $(TOOLS) ## format what is written by hand
	.bin/golangci-lint fmt

.PHONY: verify
verify: verify-modules verify-generated verify-migrations lint vulnerabilities ## check all that is not a test

.PHONY: verify-modules
verify-modules: ## check that go.mod and go.sum are tidy
	@$(GO) mod tidy -diff || { echo "make verify: go.mod or go.sum is not tidy: run 'go mod tidy'"; exit 1; }
	@$(GO) -C tools mod tidy -diff || { echo "make verify: tools/go.mod or tools/go.sum is not tidy: run 'go -C tools mod tidy'"; exit 1; }

# Compares with what was there before, not with the last commit, so that work in
# progress passes and is not touched.
.PHONY: verify-generated
verify-generated: ## check that the generated code is what the schemas declare
	@state() { find ent -type f -exec cksum {} + | sort; }; \
	before=$$(state) && $(GO) generate ./ent/generate.go && after=$$(state) || exit 1; \
	[ "$$before" = "$$after" ] || { \
		git --no-pager diff --stat -- ent; git ls-files --others --exclude-standard ent; \
		echo "make verify: the generated code was not what the schemas declare. It is now: look at ent/ and commit it"; \
		exit 1; }

# In a copy: a check must not leave a migration behind that nobody has named.
.PHONY: verify-migrations
verify-migrations: ## check that the migrations give what the schemas declare
	@copy=$$(mktemp -d) && trap 'rm -rf "$$copy"' EXIT && cp -R migrate/postgres migrate/sqlite "$$copy" \
	&& $(WITH_SERVERS) -only postgres -- $(GO) run ./migrate/generate -folder "$$copy" -name missing || exit 1; \
	changed=; for dialect in postgres sqlite; do diff -ruN migrate/$$dialect "$$copy/$$dialect" || changed=yes; done; \
	[ -z "$$changed" ] || { echo "make verify: a migration is missing: run 'make migration name=WHAT_IT_DOES' and commit it"; exit 1; }

# Its database is on the network. A build without one goes on, and says so.
.PHONY: vulnerabilities
vulnerabilities: $(TOOLS) ## look for known vulnerabilities in what we call
	@output=$$(.bin/govulncheck ./... 2>&1); status=$$?; \
	case "$$status:$$output" in \
		[!0]*"fetching vulnerabilities:"*) echo "govulncheck was not run: its database cannot be reached from here" ;; \
		*) echo "$$output"; exit $$status ;; \
	esac

.PHONY: ci
ci: ## what a change has to pass: verify, test, fuzz
	@for step in verify test fuzz; do \
		echo "== $$step"; $(MAKE) --no-print-directory $$step || { echo "== $$step failed"; exit 1; }; \
	done; echo "== all passed"

$(TOOLS): tools/go.mod tools/go.sum
	@echo "building the developer tools into .bin, which takes minutes the first time"
	@mkdir -p .bin && rm -f .bin/tools-*
	$(GO) -C tools build -o ../.bin/ tool
	@touch $@
