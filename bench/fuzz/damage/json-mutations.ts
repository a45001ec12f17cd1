/**
 * Ways to spoil JSON documents: values of other types, members that are missing or twice, nesting without
 * end.
 */
import type { Random } from '../../generate/random.ts';
import { HOSTILE_NAMES, ODD_NUMBERS } from './hostile.ts';
import { BAD_CELLS } from './text-mutations.ts';

export type JsonMutation = (text: string, random: Random) => string;

type Container = unknown[] | Record<string, unknown>;

// biome-ignore format: a list of values
const BAD_VALUES: readonly unknown[] = [
  null, true, false, 0, -1, 1.5, 1e308, -(2 ** 53), '', 'x', '12', [], {}, [[]], [null], { a: 1 }, ...BAD_CELLS,
];
const DEPTHS = [100, 5_000, 200_000];
const HUGE_NUMBERS = [
  '1e999',
  '-1e999',
  '123456789012345678901234567890',
  '1'.repeat(400),
  '-0',
  '01',
  '+1',
  '.5',
  'NaN',
  'Infinity',
];

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null;

/** All containers with something in them, found without recursion. */
function containersOf(root: unknown): Container[] {
  const found: Container[] = [];
  const waiting: unknown[] = [root];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (!isContainer(value)) continue;
    const inside = Object.values(value);
    if (inside.length > 0) found.push(value);
    for (const each of inside) waiting.push(each);
  }
  return found;
}

/**
 * Changes one random member of the document. Text that is no JSON any more, or too deep to write, comes back
 * as it is.
 */
function editMember(
  text: string,
  random: Random,
  edit: (container: Record<string, unknown>, key: string) => void,
): string {
  try {
    const root: unknown = JSON.parse(text);
    const containers = containersOf(root);
    if (containers.length === 0) return text;
    // Members near the top are few but matter most.
    const near = random.chance(0.4) ? Math.min(8, containers.length) : containers.length;
    const container = containers[random.below(near)] as Record<string, unknown>;
    edit(container, random.pick(Object.keys(container)));
    return JSON.stringify(root);
  } catch {
    return text;
  }
}

const nested = (depth: number, random: Random): string =>
  random.chance(0.5)
    ? `${'['.repeat(depth)}${']'.repeat(depth)}`
    : `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

/** Puts raw text in place of a random number of the document. */
const replaceNumber = (text: string, random: Random, piece: string): string => {
  const numbers = [...text.matchAll(/([:[,]\s*)-?\d+(\.\d+)?/g)];
  if (numbers.length === 0) return text;
  const chosen = random.pick(numbers);
  const start = chosen.index + chosen[1]!.length;
  return text.slice(0, start) + piece + text.slice(chosen.index + chosen[0].length);
};

/** A member of a part of the cluster that goes by its name gets another one, wherever the old one stands. */
function renamed(text: string, random: Random, name: string): string {
  try {
    const document = JSON.parse(text) as Record<string, Record<string, unknown>>;
    const old = random.pick(Object.keys(document[random.pick(['nodes', 'instances', 'nodegroups'])]!));
    return text.replaceAll(JSON.stringify(old), JSON.stringify(name));
  } catch {
    return text;
  }
}

export const JSON_MUTATIONS: Readonly<Record<string, JsonMutation>> = {
  hostileName: (text, random) => renamed(text, random, random.pick(HOSTILE_NAMES)),
  oddNumber: (text, random) => replaceNumber(text, random, random.pick(ODD_NUMBERS)),
  nearNumber: (text, random) =>
    replaceNumber(text, random, String(random.between(-2, 4) * 10 ** random.below(7))),
  fewOddNumbers: (text, random) =>
    Array.from({ length: random.between(2, 6) }).reduce<string>(
      (changed) => replaceNumber(changed, random, random.pick(ODD_NUMBERS.slice(0, 12))),
      text,
    ),
  badValue: (text, random) =>
    editMember(text, random, (container, key) => {
      container[key] = random.pick(BAD_VALUES);
    }),
  dropMember: (text, random) =>
    editMember(text, random, (container, key) => {
      delete container[key];
    }),
  renameMember: (text, random) =>
    editMember(text, random, (container, key) => {
      const value = container[key];
      delete container[key];
      Object.defineProperty(container, random.pick(BAD_CELLS), {
        value,
        enumerable: true,
        configurable: true,
      });
    }),
  swapMembers: (text, random) =>
    editMember(text, random, (container, key) => {
      const other = random.pick(Object.keys(container));
      [container[key], container[other]] = [container[other], container[key]];
    }),
  prototypeMember: (text) => text.replace('{', '{"__proto__":{"nodes":1},"constructor":null,'),
  memberTwice: (text, random) => {
    const names = [...text.matchAll(/"[^"]{1,40}":/g)];
    if (names.length === 0) return text;
    const chosen = random.pick(names);
    return `${text.slice(0, chosen.index)}${chosen[0]}${random.pick(['1', '{}', '[]', 'null'])},${text.slice(chosen.index)}`;
  },
  hugeNumber: (text, random) => replaceNumber(text, random, random.pick(HUGE_NUMBERS)),
  deepValue: (text, random) => replaceNumber(text, random, nested(random.pick(DEPTHS), random)),
  onlyNesting: (_, random) => nested(random.pick(DEPTHS), random),
  unclosed: (_, random) => random.pick(['[', '{"a":']).repeat(random.pick(DEPTHS)),
  otherRoot: (_, random) => JSON.stringify(random.pick(BAD_VALUES)),
  trailing: (text, random) => text + random.pick(['}', ']', ',', ' x', '\u0000', text]),
};
