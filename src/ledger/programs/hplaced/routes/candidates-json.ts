/**
 * Candidates as JSON text, in pieces. Written by hand because answers run to tens of megabytes: a hundred
 * thousand candidates share a few thousand providers, whose parts of the text are made once.
 */
import type { Forest } from '../../../candidates/forest/forest.ts';
import type { Provider, Room } from '../../../candidates/forest/provider.ts';
import type { Dialect } from '../../../candidates/request/reading.ts';
import type { CandidateRequest } from '../../../candidates/request/request.ts';
import { allocationsOf, type Candidate, mappingsOf, type Slot } from '../../../candidates/search/slots.ts';

const quote = (text: string): string => JSON.stringify(text);

/** Summaries with all classes, kept while the provider's inventories, traits and place are the same. */
const kept = new WeakMap<
  Provider,
  { readonly rooms: unknown; readonly traits: unknown; readonly path: unknown; readonly text: string }
>();

const classText = ([name, { capacity, used }]: readonly [string, Room]): string =>
  `${quote(name)}:{"capacity":${capacity},"used":${used}}`;

/** @param classes undefined for all */
function summaryText(provider: Provider, classes: ReadonlySet<string> | undefined, minor: number): string {
  const rooms = [...provider.rooms].filter(([name]) => !classes || classes.has(name));
  const traits = minor >= 17 ? `,"traits":${JSON.stringify([...provider.traits])}` : '';
  const place =
    minor >= 29
      ? `,"parent_provider_uuid":${provider.parent ? quote(provider.parent.uuid) : 'null'},"root_provider_uuid":${quote(provider.root.uuid)}`
      : '';
  return `${quote(provider.uuid)}:{"resources":{${rooms.map(classText).join()}}${traits}${place}}`;
}

function keptSummary(provider: Provider, minor: number): string {
  const { rooms, traits, path } = provider;
  const before = kept.get(provider);
  if (before && before.rooms === rooms && before.traits === traits && before.path === path)
    return before.text;
  const text = summaryText(provider, undefined, minor);
  kept.set(provider, { rooms, traits, path, text });
  return text;
}

/** Providers with summaries in the answer: whole trees, or for clients without trees only themselves. */
function summarized(
  forest: Forest,
  slots: readonly Slot[],
  found: readonly Candidate[],
  isNested: boolean,
): Set<Provider> {
  const taken = new Set<Provider>();
  for (const { providers } of found)
    for (let k = 0; k < slots.length; k++) if (slots[k]!.amounts.length > 0) taken.add(providers[k]!);
  if (!isNested) return taken;
  const all = new Set<Provider>();
  for (const root of new Set([...taken].map((provider) => provider.root)))
    for (const member of forest.treeOf(root)) all.add(member);
  return all;
}

function resourcesText(taken: ReadonlyMap<string, number>): string {
  let text = '';
  for (const [name, amount] of taken) text += `${text === '' ? '' : ','}${quote(name)}:${amount}`;
  return `"resources":{${text}}`;
}

function candidateText(candidate: Candidate, slots: readonly Slot[], minor: number): string {
  const allocations = [...allocationsOf(candidate, slots)];
  if (minor < 12) {
    const items = allocations.map(
      ([{ uuid }, taken]) => `{"resource_provider":{"uuid":${quote(uuid)}},${resourcesText(taken)}}`,
    );
    return `{"allocations":[${items.join()}]}`;
  }
  const items = allocations.map(([{ uuid }, taken]) => `${quote(uuid)}:{${resourcesText(taken)}}`);
  if (minor < 34) return `{"allocations":{${items.join()}}}`;
  const mappings = [...mappingsOf(candidate, slots)].map(
    ([suffix, providers]) => `${quote(suffix)}:[${providers.map(({ uuid }) => quote(uuid)).join()}]`,
  );
  return `{"allocations":{${items.join()}},"mappings":{${mappings.join()}}}`;
}

export function* candidatesJson(
  forest: Forest,
  { groups }: CandidateRequest,
  slots: readonly Slot[],
  found: readonly Candidate[],
  { minor, nested }: Dialect,
): Generator<string> {
  const requested =
    minor >= 27 ? undefined : new Set(groups.flatMap(({ resources }) => [...resources.keys()]));
  let comma = '';
  yield '{"allocation_requests":[';
  for (const candidate of found) {
    yield comma + candidateText(candidate, slots, minor);
    comma = ',';
  }
  yield '],"provider_summaries":{';
  comma = '';
  for (const provider of summarized(forest, slots, found, nested)) {
    yield comma + (minor >= 29 ? keptSummary(provider, minor) : summaryText(provider, requested, minor));
    comma = ',';
  }
  yield '}}';
}
