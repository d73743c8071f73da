package doctor

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"strings"
	"syscall"
	"time"

	"records/internal/database"
)

// reachTimeout is how long the database has to answer.
const reachTimeout = 10 * time.Second

// unreachable asks the database for an answer, and returns why there is none.
func unreachable(ctx context.Context, db *database.DB) *Fault {
	ctx, cancel := context.WithTimeout(ctx, reachTimeout)
	defer cancel()
	err := db.Ping(ctx)
	if err == nil {
		return nil
	}
	what, remedy := cause(err)
	return &Fault{
		Check: "database", What: what, Remedy: remedy,
		Why: "Requests are answered 503 until the database can be reached.",
	}
}

// refusals are why a server of PostgreSQL lets nobody in, by its code.
var refusals = map[string]struct{ what, remedy string }{
	"28P01": {"The database server refuses the password.", "Correct the user and the password in database.url; special characters are percent-encoded."},
	"28000": {"The database server refuses the user.", "See that the role is there and may log in, and that pg_hba.conf lets it in from here, with TLS or without as sslmode says."},
	"3D000": {"There is no database of that name on the server.", "Correct the name in database.url, or create the database."},
	"42501": {"The role may not connect to the database.", "GRANT CONNECT ON DATABASE … TO the role."},
	"53300": {"All connections of the database server are in use.", "Raise its max_connections, or lower database.max_connections of the programs that use it."},
	"57P03": {"The database server is starting or stopping.", "Wait until it is up, and look into its log if that takes long."},
}

// cause tells why a database cannot be reached, and what to do.
func cause(err error) (what, remedy string) {
	if r, ok := refusals[database.SQLState(err)]; ok {
		return r.what, r.remedy
	}
	if database.RefusesParameter(err) {
		return "The database server refuses a parameter of database.url: " + database.Sentence(err) + ".", "Correct it, or take it out: behind the question mark the URL names settings of the session."
	}
	if e, ok := errors.AsType[*net.DNSError](err); ok {
		return "The host " + e.Name + " of database.url is not known.", "Correct the name, or see that this machine can look it up."
	}
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return "The certificate of the database server does not hold.", "Name the authority by sslrootcert, and the server by the name in its certificate."
	}
	if strings.Contains(err.Error(), "SSL is not enabled on the server") {
		return "The database server has no TLS, and sslmode asks for it.", "Switch TLS on in the server; sslmode=disable is for a server on this machine."
	}
	if errors.Is(err, database.ErrUnenforced) {
		return "Sessions fire no triggers and check no references: session_replication_role is replica.",
			"RESET it where the role (ALTER ROLE), the database (ALTER DATABASE) or the server sets it, and run this command again, for what was written meanwhile may be wrong."
	}
	if errors.Is(err, syscall.ECONNREFUSED) {
		return "Nothing listens at the address of the database.", "See that the server runs, and that host and port in database.url are right."
	}
	if e, ok := errors.AsType[net.Error](err); ok && e.Timeout() || errors.Is(err, context.DeadlineExceeded) {
		return "The database does not answer in time.", "See that the host is up, and that no firewall swallows what is sent to it."
	}
	return "The database cannot be reached: " + database.Sentence(err) + ".", "See what the server's log says."
}
