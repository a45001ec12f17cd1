"""Evaluates expressions with Debian's python3-yaql: {"data": ..., "expressions": [...]} in, a list of outcomes as text out."""
import json
import sys

import yaql


def shown(value):
    if value is None:
        return 'null'
    if isinstance(value, bool):
        return 'true' if value else 'false'
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, dict):
        return '{' + ', '.join(sorted(shown(k) + ': ' + shown(v) for k, v in value.items())) + '}'
    items = [shown(item) for item in value]
    return '[' + ', '.join(sorted(items) if isinstance(value, (set, frozenset)) else items) + ']'


def outcome(engine, expression, data):
    try:
        return shown(engine(expression).evaluate(data=data))
    except Exception:
        return 'error'


task = json.load(sys.stdin)
engine = yaql.YaqlFactory().create(options={'yaql.limitIterators': 1000, 'yaql.memoryQuota': 1000000})
json.dump([outcome(engine, expression, task['data']) for expression in task['expressions']], sys.stdout)
