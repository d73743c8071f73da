//go:build !linux

package main

import "syscall"

// Only Linux tells a process that its parent ended.

func killWithParent(*syscall.SysProcAttr, syscall.Signal) {}

func dieWithParent() error { return nil }
