/**
 * Rules as tags of instances: who stays together, who apart, pinned to nodes, kept off nodes, sticky. What
 * each means stands in docs/reference/rules.md. The tags are our own; the stock programs pass over them.
 */
import type { RuleName } from '../rules.ts';
import type { Node } from '../snapshot.ts';
import { withoutPrefix } from './tags.ts';

const STICKY_TAG = 'htools:sticky';
const STICKY_PREFIX = `${STICKY_TAG}:`;

/** Rules about who else of a set is on a node, and the tags that name an instance's sets. */
const SET_PREFIXES = { together: 'htools:together:' } as const satisfies {
  readonly [R in RuleName]?: string;
};
export type SetRuleName = keyof typeof SET_PREFIXES;
export const SET_RULE_NAMES = Object.keys(SET_PREFIXES) as readonly SetRuleName[];

/** What an instance may ask for. Behind a prefix stands the name of a set, or of nodes, or a tag of nodes. */
export const WISH_PREFIXES = {
  ...SET_PREFIXES,
  /** Works as an exclusion tag that needs no `htools:iextags` on the cluster. */
  apart: 'htools:apart:',
  /** All its nodes are among these, where there are any, and none among those. */
  pinned: 'htools:pinned:',
  keepOff: 'htools:keepoff:',
} as const;
export type Wish = keyof typeof WISH_PREFIXES;
const WISHES = Object.keys(WISH_PREFIXES) as readonly Wish[];

/** The names that tags of an instance give, each once. */
export type PlacementWishes = Readonly<Record<Wish, readonly string[]>>;

const after = (tags: readonly string[], prefix: string): string[] => [
  ...new Set(withoutPrefix(tags, prefix)),
];

/** Whether tags can ask for anything: most instances have none that does. */
export const mayWish = (tags: readonly string[]): boolean => tags.some((tag) => tag.startsWith('htools:'));

/** Tags with nothing behind the colon ask for nothing. */
export const wishesOf = (tags: readonly string[]): PlacementWishes =>
  Object.fromEntries(
    WISHES.map((wish) => [wish, after(tags, WISH_PREFIXES[wish]).filter((name) => name !== '')]),
  ) as Record<Wish, string[]>;

/** Sets that tags of an instance name, each by its rule and name. */
export const setsNamedBy = (tags: readonly string[]): string[] =>
  mayWish(tags)
    ? SET_RULE_NAMES.flatMap((rule) => wishesOf(tags)[rule].map((name) => `${rule}:${name}`))
    : [];

/** Whether a rule's name for nodes means this one: its name, its name up to a dot, or one of its tags. */
export const meansNode = (name: string, node: Pick<Node, 'name' | 'tags'>): boolean =>
  node.name === name || node.name.startsWith(`${name}.`) || node.tags.includes(name);

/** What bars an instance from a node, whoever else is there: the rule, and what its tags name. */
export interface Bar {
  readonly rule: Extract<RuleName, 'keep-off' | 'pinned'>;
  readonly prefix: string;
  readonly names: readonly string[];
}

/** What keeps an instance off a node: the first rule that does. */
export function barFrom(wishes: PlacementWishes, node: Pick<Node, 'name' | 'tags'>): Bar | undefined {
  const keepers = wishes.keepOff.filter((name) => meansNode(name, node));
  if (keepers.length > 0) return { rule: 'keep-off', prefix: WISH_PREFIXES.keepOff, names: keepers };
  const { pinned } = wishes;
  return pinned.length > 0 && !pinned.some((name) => meansNode(name, node))
    ? { rule: 'pinned', prefix: WISH_PREFIXES.pinned, names: pinned }
    : undefined;
}

export const isBarredFrom = (wishes: PlacementWishes, node: Pick<Node, 'name' | 'tags'>): boolean =>
  barFrom(wishes, node) !== undefined;

/** Whether an instance leaves its nodes only where it must: off an offline node, or to mend a rule. */
export const isSticky = (tags: readonly string[]): boolean => tags.includes(STICKY_TAG);

/** What a GiB of its data counts when moved (`htools:sticky:FACTOR`), else 1; of several the largest. */
export function stickyFactor(tags: readonly string[]): number {
  const factors = after(tags, STICKY_PREFIX).flatMap((text) => factorIn(text) ?? []);
  return factors.length === 0 ? 1 : Math.max(...factors);
}

/** The factor that stands there; undefined for what is none. */
export function factorIn(text: string): number | undefined {
  const factor = Number(text);
  return text.trim() !== '' && Number.isFinite(factor) && factor >= 0 ? factor : undefined;
}
