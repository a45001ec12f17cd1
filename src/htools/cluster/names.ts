/** Names of groups, nodes and instances: short names, and finding one by a part of its name. */

import type { Snapshot } from './snapshot.ts';

/** What a lookup found; `none` and `several` are no answer. */
type NameMatch =
  | { readonly kind: 'exact' | 'partial'; readonly name: string }
  | { readonly kind: 'none' | 'several'; readonly name: string };

/**
 * Finds the name that a user means: itself, or the only one that begins with the text and a dot.
 * @returns it, or the text when it means no name or several
 */
export function lookupName(names: Iterable<string>, text: string): NameMatch {
  const prefix = `${text}.`;
  let found: string | undefined;
  let isAmbiguous = false;
  for (const name of names) {
    if (name === text) return { kind: 'exact', name };
    if (!name.startsWith(prefix)) continue;
    if (found !== undefined) isAmbiguous = true;
    found = name;
  }
  if (found === undefined) return { kind: 'none', name: text };
  return isAmbiguous ? { kind: 'several', name: text } : { kind: 'partial', name: found };
}

export const isFound = (match: NameMatch): boolean => match.kind === 'exact' || match.kind === 'partial';

/** The longest ending that begins with a dot and that all names share, else empty; tables leave it out. */
export function commonDomain(names: readonly string[]): string {
  let ending = names[0] ?? '';
  for (const name of names) while (!name.endsWith(ending)) ending = ending.slice(1);
  const dot = ending.indexOf('.');
  return dot < 0 ? '' : ending.slice(dot);
}

/** The name without the shared ending. */
export const aliasOf = (name: string, domain: string): string => name.slice(0, name.length - domain.length);

/** The nodes of a placement, the primary first. @param secondary negative where there is none */
export const nodesAt = <N>(nodes: readonly N[], primary: number, secondary: number): readonly N[] =>
  [primary, secondary].flatMap((n) => nodes[n] ?? []);

/** `node1:node2`, in short names. */
export const aliasPair = ({ nodes }: Pick<Snapshot, 'nodes'>, primary: number, secondary: number): string =>
  nodesAt(nodes, primary, secondary)
    .map(({ alias }) => alias)
    .join(':');
