package main

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
)

const (
	base           = "/api/v1/tasks"
	maxBody        = 1 << 20
	requestTimeout = 8 * time.Second
)

// handler answers the five operations on tasks.
type handler struct {
	store *store
	keys  sync.Map // of key, by the SHA-256 of the token
}

// key is what a token stands for.
type key struct {
	workspace string
	write     bool
}

func (h *handler) routes() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET "+base, h.admit(h.list(h.store.page)))
	mux.Handle("GET /counting"+base, h.admit(h.list(h.store.countedPage)))
	mux.Handle("POST "+base, h.admit(h.create))
	mux.Handle("GET "+base+"/{id}", h.admit(h.get))
	mux.Handle("PATCH "+base+"/{id}", h.admit(h.update))
	mux.Handle("DELETE "+base+"/{id}", h.admit(h.delete))
	return mux
}

// admit finds the workspace of the request's key, and bounds the request's time.
func (h *handler) admit(next func(http.ResponseWriter, *http.Request, string)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), requestTimeout)
		defer cancel()
		k, err := h.lookUp(ctx, strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
		switch {
		case errors.Is(err, sql.ErrNoRows):
			fail(w, http.StatusUnauthorized, "unauthorized", "Send a valid API key as Authorization: Bearer <API_KEY>.")
		case err != nil:
			failed(w, err)
		case r.Method != http.MethodGet && !k.write:
			fail(w, http.StatusForbidden, "read_only_key", "This key may only read.")
		default:
			next(w, r.WithContext(ctx), k.workspace)
		}
	})
}

func (h *handler) lookUp(ctx context.Context, token string) (key, error) {
	sum := sha256.Sum256([]byte(token))
	if k, ok := h.keys.Load(sum); ok {
		return k.(key), nil
	}
	k, err := h.store.key(ctx, hex.EncodeToString(sum[:]))
	if err == nil {
		h.keys.Store(sum, k)
	}
	return k, err
}

func (h *handler) list(page pageFunc) func(http.ResponseWriter, *http.Request, string) {
	return func(w http.ResponseWriter, r *http.Request, workspace string) {
		query := r.URL.Query()
		limit, limitErr := integer(query.Get("limit"), 50)
		offset, offsetErr := integer(query.Get("offset"), 0)
		if limitErr != nil || offsetErr != nil || limit < 1 || limit > 200 || offset < 0 {
			fail(w, http.StatusBadRequest, "invalid_parameter", "limit is 1 to 200, offset 0 or more.")
			return
		}
		b, count, err := page(r.Context(), append(make([]byte, 0, 16<<10), `{"data":[`...), workspace, limit, offset)
		if err != nil {
			failed(w, err)
			return
		}
		b = strconv.AppendInt(append(b, `],"limit":`...), int64(limit), 10)
		b = strconv.AppendInt(append(b, `,"offset":`...), int64(offset), 10)
		b = strconv.AppendInt(append(b, `,"count":`...), count, 10)
		respond(w, http.StatusOK, append(b, '}'))
	}
}

func integer(text string, standard int) (int, error) {
	if text == "" {
		return standard, nil
	}
	return strconv.Atoi(text)
}

func (h *handler) get(w http.ResponseWriter, r *http.Request, workspace string) {
	id, err := uuid.Parse(r.PathValue("id"))
	if err != nil {
		failed(w, sql.ErrNoRows)
		return
	}
	b, err := h.store.get(r.Context(), make([]byte, 0, 1<<10), workspace, id.String())
	answer(w, http.StatusOK, b, err)
}

func (h *handler) create(w http.ResponseWriter, r *http.Request, workspace string) {
	in, err := body(w, r, true)
	if err != nil {
		failed(w, err)
		return
	}
	id := uuid.Must(uuid.NewV7()).String()
	b, err := h.store.create(r.Context(), make([]byte, 0, 1<<10), workspace, id, in)
	w.Header().Set("Location", base+"/"+id)
	answer(w, http.StatusCreated, b, err)
}

func (h *handler) update(w http.ResponseWriter, r *http.Request, workspace string) {
	in, err := body(w, r, false)
	if err != nil {
		failed(w, err)
		return
	}
	id, err := uuid.Parse(r.PathValue("id"))
	if err != nil {
		failed(w, sql.ErrNoRows)
		return
	}
	b, err := h.store.update(r.Context(), make([]byte, 0, 1<<10), workspace, id.String(), in)
	answer(w, http.StatusOK, b, err)
}

func (h *handler) delete(w http.ResponseWriter, r *http.Request, workspace string) {
	id, err := uuid.Parse(r.PathValue("id"))
	deleted := false
	if err == nil {
		deleted, err = h.store.delete(r.Context(), workspace, id.String())
		if err != nil {
			failed(w, err)
			return
		}
	}
	b := appendText([]byte(`{"id":`), r.PathValue("id"))
	b = strconv.AppendBool(append(b, `,"deleted":`...), deleted)
	respond(w, http.StatusOK, append(b, '}'))
}

func body(w http.ResponseWriter, r *http.Request, create bool) (input, error) {
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		return input{}, &faulty{err.Error()}
	}
	return decode(raw, create)
}
