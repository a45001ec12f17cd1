/** Sorts the pairs of a query into groups and request-wide parameters; refuses what a dialect lacks. */
import { kept } from '../../../kit/kept.ts';
import { meant, withMeant } from '../../../kit/text/meant.ts';
import { type Dialect, DUPLICATE_KEY, INVALID, type Reading } from './reading.ts';
import type { QueryPair } from './request.ts';

const GROUP_KINDS = ['resources', 'required', 'member_of', 'in_tree'] as const;
type GroupKind = (typeof GROUP_KINDS)[number];

const NUMBER_SUFFIX = '[1-9][0-9]*';
const NAME_SUFFIX = '[a-zA-Z0-9_-]{1,64}';

/** All values of one group, by kind, in the order in which they came. */
export type GroupValues = Readonly<Record<GroupKind, string[]>>;

export interface Parameters {
  /** By suffix, in the order in which the suffixes first came. */
  readonly groups: ReadonlyMap<string, GroupValues>;
  readonly wide: ReadonlyMap<string, readonly string[]>;
}

/** Request-wide parameters, and what of a dialect brings them. */
const WIDE = {
  limit: 'limit',
  group_policy: 'groups',
  root_required: 'rootRequired',
  same_subtree: 'sameSubtree',
  root_member_of: 'beyond',
  isolate: 'beyond',
} as const;

const wideNames = (dialect: Dialect): readonly string[] =>
  Object.entries(WIDE).flatMap(([name, feature]) => (dialect[feature] ? [name] : []));

const kindsOf = ({ required, memberOf, inTree }: Dialect): readonly GroupKind[] => {
  const has = { resources: true, required, member_of: memberOf, in_tree: inTree };
  return GROUP_KINDS.filter((kind) => has[kind]);
};

/** What clients of the public interface are told about an unknown name; they look for parts of it. */
function unknownName(name: string, dialect: Dialect): string {
  if (!dialect.groups) return `${INVALID}Additional properties are not allowed ('${name}' was unexpected)`;
  const suffix = dialect.namedSuffixes ? NAME_SUFFIX : NUMBER_SUFFIX;
  const patterns = kindsOf(dialect)
    .map((kind) => `'^${kind}(${suffix})?$'`)
    .sort();
  const probably = meant(name, [...kindsOf(dialect), ...wideNames(dialect)]);
  return `${INVALID}'${name}' does not match any of the regexes: ${patterns.join(', ')}${probably ? `. Did you mean '${probably}'?` : ''}`;
}

export function sortParameters(pairs: readonly QueryPair[], reading: Reading): Parameters {
  const { dialect } = reading;
  const kinds = kindsOf(dialect);
  const suffix = !dialect.groups ? '(?!)' : dialect.namedSuffixes ? NAME_SUFFIX : NUMBER_SUFFIX;
  const pattern = new RegExp(`^(${kinds.join('|')})(${suffix})?$`);
  const known = new Set(wideNames(dialect));
  const groups = new Map<string, GroupValues>();
  const wide = new Map<string, string[]>();
  for (const [name, value] of pairs) {
    if (known.has(name)) {
      kept(wide, name, () => []).push(value);
      continue;
    }
    const match = pattern.exec(name);
    if (!match) {
      reading.of(name, value)(
        unknownName(name, dialect),
        undefined,
        withMeant(
          `the parameters are ${[...kinds, ...known].join(', ')}; a suffix has letters, digits, _ and -`,
          [{ word: name, known: [...kinds, ...known] }],
        ),
        'there is no such parameter',
      );
      continue;
    }
    const key = match[2] ?? '';
    const group = kept(groups, key, () => ({ resources: [], required: [], member_of: [], in_tree: [] }));
    group[match[1] as GroupKind].push(value);
  }
  return { groups, wide };
}

/** The value of a parameter that may come once; `older`: which one counted before 1.40 told of repeats. */
export function oneValue(
  name: string,
  values: readonly string[],
  older: 'first' | 'last',
  reading: Reading,
): string | undefined {
  if (reading.dialect.beyond && values.length > 1)
    reading.of(name, values.join(' and '))(
      `Query parameter '${name}' may be specified only once.`,
      DUPLICATE_KEY,
      'leave all but one out',
    );
  return older === 'first' ? values[0] : values.at(-1);
}
