#!/usr/bin/env python3
"""Holds the JSON Schema of the language, as the program prints it, against every shipped file, and
against files that it must refuse. Usage: scenario_schema_test.py PROGRAM SOURCE_DIRECTORY"""

import json
import pathlib
import subprocess
import sys

import jsonschema
import yaml

WRONG_STEPS = [
    "{old: flush, return: {}}",
    "old: flsh",
    "old: {send: {to: orders, value: x, kye: 1}}",
    "old: {send: {value: x}}",
    "wait: 60 sec",
    "wait: 60",
    "expect: {orders-0: {lso: 3}}",
    "expect: {orders-0: {high_watermark: -2}}",
    "hold: {request: EndTx}",
    "{when: {marker: COMIT}, do: {crash: old}}",
    "{when: {marker: any}, do: {say: x}}",
    "billing: {seek: {offset: -3}}",
    "{old: flush, fails: PRODUCER_FENCD}",
    "expect: {transactions: {pay-1: {state: ONGOIN}}}",
    "flush",
]
AROUND = """
title: t
topics: {orders: {partitions: 1}}
actors: {old: producer, billing: consumer, tool: admin}
steps:
  - %s
"""


def as_json(node):
    """YAML allows numbers as keys, JSON only texts."""
    if isinstance(node, dict):
        return {str(key): as_json(value) for key, value in node.items()}
    return [as_json(item) for item in node] if isinstance(node, list) else node


def main(program, source):
    schema = json.loads(subprocess.check_output([program, "schema", "scenario"]))
    validator = jsonschema.Draft202012Validator(schema)
    validator.check_schema(schema)

    def violations(text):
        return [e.message for e in validator.iter_errors(as_json(yaml.safe_load(text)))]

    failures = []
    files = sorted(pathlib.Path(source, "scenarios").rglob("*.yaml"))
    files.append(pathlib.Path(source, "tests/scenarios/everything.yaml"))
    for file in files:
        failures += [f"{file}: {found}" for found in violations(file.read_text("utf-8"))]
    failures += [f"refused: {found}" for found in violations(AROUND % "old: flush")]
    failures += [f"accepted: {step}" for step in WRONG_STEPS if not violations(AROUND % step)]
    print("\n".join(failures) or f"{len(files)} files fit, {len(WRONG_STEPS)} wrong ones do not")
    return 1 if failures or len(files) < 30 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
