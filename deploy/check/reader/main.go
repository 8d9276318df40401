// Reads, with the libraries of their own projects, what the deployment is made of, and prints it as JSON:
//
//	reader compose FILE   the project as Docker Compose would run it, interpolated and validated
//	reader rules FILE     nothing, once Prometheus accepts the rules
//	reader promql         nothing, once each line of the standard input is an expression that Prometheus accepts
//	reader yaml           the documents of the standard input, as a list
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql/parser"
	"go.yaml.in/yaml/v3"
)

func main() {
	if len(os.Args) < 2 {
		fail(errors.New("compose FILE, rules FILE, promql or yaml"))
	}
	switch os.Args[1] {
	case "compose":
		fail(compose(os.Args[2]))
	case "rules":
		_, errs := rulefmt.ParseFile(os.Args[2], false, model.UTF8Validation, parser.NewParser(parser.Options{}), slog.Default())
		fail(errors.Join(errs...))
	case "promql":
		fail(promql(os.Stdin))
	case "yaml":
		fail(documents(os.Stdin))
	default:
		fail(fmt.Errorf("no such command: %s", os.Args[1]))
	}
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// Interpolates from the environment of this process alone, so that a .env of whoever runs it changes nothing.
func compose(file string) error {
	options, err := cli.NewProjectOptions([]string{file}, cli.WithOsEnv, cli.WithResolvedPaths(false))
	if err != nil {
		return err
	}
	project, err := options.LoadProject(context.Background())
	if err != nil {
		return err
	}
	text, err := project.MarshalJSON()
	if err != nil {
		return err
	}
	_, err = os.Stdout.Write(text)
	return err
}

func promql(lines io.Reader) error {
	expressions := parser.NewParser(parser.Options{})
	for scanner := bufio.NewScanner(lines); scanner.Scan(); {
		if _, err := expressions.ParseExpr(scanner.Text()); err != nil {
			return fmt.Errorf("%s: %w", scanner.Text(), err)
		}
	}
	return nil
}

func documents(text io.Reader) error {
	all := []any{}
	for decoder := yaml.NewDecoder(text); ; {
		var document any
		err := decoder.Decode(&document)
		if errors.Is(err, io.EOF) {
			return json.NewEncoder(os.Stdout).Encode(all)
		}
		if err != nil {
			return err
		}
		if document != nil {
			all = append(all, document)
		}
	}
}
