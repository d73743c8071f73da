package counts

import (
	"fmt"
	"strings"
)

// SQLiteTriggers are the triggers of a table, by name. There is one writer at a
// time, so that one slot will do.
func SQLiteTriggers(table string, name func(string) string) map[string]string {
	triggers := map[string]string{}
	for event, row := range map[string]struct {
		which string
		n     int
	}{"INSERT": {"NEW", 1}, "DELETE": {"OLD", -1}} {
		trigger := name(triggerName(table, event))
		triggers[trigger] = fmt.Sprintf("CREATE TRIGGER `%s` AFTER %s ON `%s` FOR EACH ROW BEGIN\n"+
			"  INSERT INTO `%s` (`workspace_id`, `resource`, `slot`, `n`) VALUES (%s.`workspace_id`, '%[3]s', 0, %[6]d)\n"+
			"    ON CONFLICT (`workspace_id`, `resource`, `slot`) DO UPDATE SET `n` = `n` + excluded.`n`;\nEND",
			trigger, event, table, Table, row.which, row.n)
	}
	return triggers
}

func triggerName(table, event string) string { return table + "_count_" + strings.ToLower(event) }
