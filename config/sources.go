package config

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/pflag"
)

// configFlag names the flag for the path of the file. It is no setting: a
// file cannot name another file.
const configFlag = "config"

// envPrefix begins every variable that is ours.
const envPrefix = "RECORDS_"

// envName is the variable of a setting: RECORDS_RATELIMIT_PER_KEY for
// ratelimit.per_key.
func envName(name string) string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(name, ".", "_"))
}

// check refuses text that the setting cannot take, and names where it was found.
func (s setting) check(text, source string) error {
	if err := s.set(new(Config), text); err != nil {
		return fmt.Errorf("%s (from %s): %w", s.name, source, err)
	}
	return nil
}

// checkFlags checks the flags that were given on the command line. An unknown
// one never gets here: parsing refuses it.
func checkFlags(fs *pflag.FlagSet) error {
	for _, s := range settings {
		flag := fs.Lookup(s.name)
		if flag == nil || !flag.Changed {
			continue
		}
		if err := s.check(flag.Value.String(), "--"+s.name); err != nil {
			return err
		}
	}
	return nil
}

// checkEnvironment checks the variables whose names begin with RECORDS_: a
// name that is no setting's is refused. An empty one counts as not set,
// whatever its name, since that is how a container file unsets a variable.
//
// A Kubernetes service called "records" puts variables such as RECORDS_PORT
// into the pods beside it; enableServiceLinks: false keeps them out.
func checkEnvironment() error {
	byVariable := map[string]setting{}
	for _, s := range settings {
		byVariable[envName(s.name)] = s
	}

	for _, pair := range os.Environ() {
		variable, text, _ := strings.Cut(pair, "=")
		if !strings.HasPrefix(variable, envPrefix) || text == "" || variable == envName(configFlag) {
			continue
		}
		s, ok := byVariable[variable]
		if !ok {
			return fmt.Errorf("unknown setting %s in the environment", variable)
		}
		if err := s.check(text, variable); err != nil {
			return err
		}
	}
	return nil
}

// filePath is the path of the file, and where that was found: --config over
// RECORDS_CONFIG. It is empty when there is none to read; --config with nothing after
// it is an error, as it is most likely a variable that was not set.
func filePath(fs *pflag.FlagSet) (path, source string, err error) {
	flag := fs.Lookup(configFlag)
	if flag == nil || !flag.Changed {
		return os.Getenv(envName(configFlag)), envName(configFlag), nil
	}
	if flag.Value.String() == "" {
		return "", "", errors.New("config (from --config): want the path of a file, not an empty one")
	}
	return flag.Value.String(), "--config", nil
}

// sources are where the settings that are set were found, by name.
func sources(fs *pflag.FlagSet, path string, file map[string]any) map[string]string {
	from := map[string]string{}
	for _, s := range settings {
		flag := fs.Lookup(s.name)
		_, inFile := file[s.name]
		switch {
		case flag != nil && flag.Changed:
			from[s.name] = "--" + s.name
		case os.Getenv(envName(s.name)) != "":
			from[s.name] = envName(s.name)
		case inFile:
			from[s.name] = path
		}
	}
	return from
}
