"""
Evaluates expressions with Debian's python3-yaql: {"data": ..., "expressions": [...]} in; its functions with the names of their
parameters and a list of outcomes as text out.
"""
import json
import signal
import sys

import yaql
from yaql.language import yaqltypes

SECONDS_EACH = 20


class Endless(BaseException):
    pass


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


def outcome(engine, functions, expression, data):
    signal.setitimer(signal.ITIMER_REAL, SECONDS_EACH)
    try:
        return shown(engine(expression).evaluate(data=data, context=functions.create_child_context()))
    except Endless:
        return 'endless'
    except Exception:
        return 'error'
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def ring(*_):
    raise Endless


def parameters(functions):
    """The names that arguments of each function may be given by; operators begin with another character."""
    found = {}
    while functions:
        # A context keeps its functions in a member of its own.
        for name, definitions in functions._functions.items():
            if name[0].isalpha():
                found.setdefault(name, set()).update(
                    one.alias or one.name for each in definitions for key, one in each.parameters.items()
                    if key not in ('*', '**') and not isinstance(one.value_type, yaqltypes.HiddenParameterType))
        functions = functions.parent
    return {name: sorted(names) for name, names in sorted(found.items())}


signal.signal(signal.SIGALRM, ring)
task = json.load(sys.stdin)
engine = yaql.YaqlFactory().create(options={'yaql.limitIterators': 1000, 'yaql.memoryQuota': 1000000})
functions = yaql.create_context()
outcomes = [outcome(engine, functions, expression, task['data']) for expression in task['expressions']]
json.dump({'functions': parameters(functions), 'outcomes': outcomes}, sys.stdout)
