/** Tags that begin with `htools:` and mean nothing where they are, and the cluster's that match nothing. */
import { meant } from '../../../kit/text/meant.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import { factorIn, WISH_PREFIXES } from '../../cluster/tags/placement-tags.ts';
import type { LintFinding } from '../../results/parts/explanation.ts';

const PREFIX = 'htools:';

const wordOf = (prefix: string): string => prefix.slice(PREFIX.length, -1);

/** The words behind `htools:` and who may carry them; `value` where something must follow. */
const WORDS: Readonly<Record<string, { readonly on: readonly Carrier[]; readonly value: boolean }>> = {
  iextags: { on: ['cluster'], value: true },
  nlocation: { on: ['cluster'], value: true },
  desiredlocation: { on: ['cluster'], value: true },
  migration: { on: ['cluster'], value: true },
  allowmigration: { on: ['cluster'], value: true },
  nointergroup: { on: ['cluster', 'instance'], value: false },
  nomigrate: { on: ['instance'], value: false },
  sticky: { on: ['instance'], value: false },
  standby: { on: ['node'], value: true },
  storagepool: { on: ['cluster', 'group', 'node', 'instance'], value: true },
  'hands-off': { on: ['cluster', 'group', 'node', 'instance'], value: false },
  poolsize: { on: ['cluster'], value: true },
  tenant: { on: ['instance'], value: true },
  ...Object.fromEntries(
    Object.values(WISH_PREFIXES).map((prefix) => [wordOf(prefix), { on: ['instance'], value: true }]),
  ),
};

type Carrier = 'cluster' | 'group' | 'node' | 'instance';

function wordFault(carrier: Carrier, tag: string): Pick<LintFinding, 'problem' | 'remedy'> | undefined {
  const rest = tag.slice(PREFIX.length);
  const colon = rest.indexOf(':');
  const word = colon < 0 ? rest : rest.slice(0, colon);
  const value = colon < 0 ? '' : rest.slice(colon + 1);
  const known = Object.hasOwn(WORDS, word) ? WORDS[word] : undefined;
  if (!known) {
    const near = meant(word, Object.keys(WORDS));
    const remedy = near === undefined ? 'take it off' : `write htools:${near}`;
    return { problem: 'no program knows it', remedy };
  }
  if (!known.on.includes(carrier))
    return {
      problem: `it means nothing on a ${carrier}`,
      remedy: `put it on ${known.on.map((one) => (one === 'cluster' ? 'the cluster' : `the ${one}s`)).join(' or ')}`,
    };
  if (known.value && value === '')
    return { problem: 'nothing stands behind it', remedy: `write ${PREFIX}${word}:NAME` };
  if (word === 'sticky' && colon >= 0 && factorIn(value) === undefined)
    return {
      problem: `'${value}' is no factor`,
      remedy: 'write a number of 0 or more, or htools:sticky alone',
    };
  if (word !== 'sticky' && !known.value && colon >= 0)
    return { problem: `it means nothing with '${value}' behind it`, remedy: `write ${PREFIX}${word} alone` };
  return undefined;
}

/** Prefixes that the cluster names, and which nothing carries. */
function unusedPrefixes({ tags, nodes, instances }: Snapshot): LintFinding[] {
  const nodeTags = nodes.flatMap((node) => node.tags);
  const instanceTags = instances.flatMap((instance) => instance.tags);
  const carriers: Readonly<Record<string, readonly [readonly string[], string, string]>> = {
    'htools:iextags:': [instanceTags, '', 'instance'],
    'htools:desiredlocation:': [instanceTags, '', 'instance'],
    'htools:nlocation:': [nodeTags, ':', 'node'],
    'htools:migration:': [nodeTags, ':', 'node'],
  };
  return tags.flatMap((tag): LintFinding[] => {
    const prefix = Object.keys(carriers).find((one) => tag.startsWith(one) && tag.length > one.length);
    if (prefix === undefined) return [];
    const [list, ending, what] = carriers[prefix]!;
    const wanted = tag.slice(prefix.length) + ending;
    if (list.some((one) => one.startsWith(wanted))) return [];
    const problem = `no ${what} has a tag that begins with ${wanted}`;
    return [
      {
        kind: 'unmatched',
        subject: 'the cluster',
        tag,
        problem,
        remedy: `tag the ${what}s that are meant, or take it off`,
      },
    ];
  });
}

export function misspeltTags(snapshot: Snapshot): LintFinding[] {
  const found: LintFinding[] = [];
  const look = (carrier: Carrier, subject: string, tags: readonly string[]): void => {
    for (const tag of tags) {
      if (!tag.startsWith(PREFIX)) continue;
      const fault = wordFault(carrier, tag);
      if (fault) found.push({ kind: 'unknown', subject, tag, ...fault });
    }
  };
  look('cluster', 'the cluster', snapshot.tags);
  for (const { name, tags } of snapshot.groups) look('group', `group ${name}`, tags);
  for (const { name, tags } of snapshot.nodes) look('node', `node ${name}`, tags);
  for (const { name, tags } of snapshot.instances) look('instance', `instance ${name}`, tags);
  return [...found, ...unusedPrefixes(snapshot)];
}
