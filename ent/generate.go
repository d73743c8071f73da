// Package ent is the typed client, generated from ent/schema. Written by hand
// are schema, rule, annotation, entc.go and this file.
package ent

//go:generate go run entc.go
