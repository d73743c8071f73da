package migrate

// breaks reports whether a program that does not know the migration cannot serve
// the database any more once it is applied.
func (u *up) breaks(m migration) bool { return false }
