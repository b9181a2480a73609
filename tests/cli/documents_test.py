#!/usr/bin/env python3
"""Holds the documents that the program prints against the schemas that it prints.
Usage: documents_test.py PROGRAM"""

import collections
import json
import subprocess
import sys

import jsonschema

RESULTS = [["run", "13"], ["run", "14"], ["run", "36"]]
TRACES = [["run", "36"], ["run", "50"]]
OF_EACH_KIND = 5  # the validator takes milliseconds for a line


def main(program):
    failures = []

    # A run whose claims do not hold prints its result too.
    def output(*arguments):
        return subprocess.run([program, *arguments], stdout=subprocess.PIPE, check=False).stdout

    def validator(name):
        schema = json.loads(output("schema", name))
        jsonschema.Draft202012Validator.check_schema(schema)
        return jsonschema.Draft202012Validator(schema)

    def hold(checker, what, document):
        failures.extend(f"{what}: {e.json_path}: {e.message}" for e in checker.iter_errors(document))
        if checker.is_valid({**document, "surprise": 1}):
            failures.append(f"{what}: a field that the schema does not know was accepted")

    result = validator("result")
    for arguments in RESULTS:
        hold(result, arguments, json.loads(output(*arguments, "--json")))
    trace = validator("trace")
    held = collections.Counter()
    for arguments in TRACES:
        for line in output(*arguments, "--ndjson").splitlines():
            event = json.loads(line)
            kind = event.get("kind", event["line"])
            held[kind] += 1
            if held[kind] <= OF_EACH_KIND:
                hold(trace, f"{arguments} {line.decode()[:100]}", event)
    print("\n".join(failures) or f"{len(RESULTS)} results and {len(held)} kinds of line fit")
    return 1 if failures or len(held) < 20 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
