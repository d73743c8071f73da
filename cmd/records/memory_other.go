//go:build !linux

package main

// Memory cannot be given back at once here.

func forget([]byte) {}

func forgetProgram() {}
