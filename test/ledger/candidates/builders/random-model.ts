/** Small random models of providers, and random queries that have something to do with them. */
import type { Random } from '../../../../bench/generate/random.ts';
import type { ProviderRecord } from '../../../../src/ledger/candidates/forest/provider.ts';
import { SHARING_TRAIT } from '../../../../src/ledger/claims/model/names.ts';

export const CLASSES = ['VCPU', 'MEMORY_MB', 'DISK_GB', 'CUSTOM_VF'] as const;
export const TRAITS = ['CUSTOM_A', 'CUSTOM_B', 'CUSTOM_C', SHARING_TRAIT] as const;

export const uuidOf = (kind: number, n: number): string =>
  `${String(kind).padStart(8, '0')}-0000-4000-8000-${String(n).padStart(12, '0')}`;

const AGGREGATES = [1, 2, 3].map((n) => uuidOf(9, n));
const NAMES = 'klmnopqrstuvwxyzabcdefghij';

function inventory(random: Random, resourceClass: string): ProviderRecord['inventories'][number] {
  const capacity = random.between(0, 8);
  const minUnit = random.chance(0.8) ? 1 : random.between(1, 3);
  return {
    resourceClass,
    capacity,
    // Over capacity happens: an inventory may shrink under its use.
    used: random.chance(0.6) ? 0 : random.between(0, capacity + 1),
    minUnit,
    maxUnit: random.chance(0.7) ? 100 : random.between(minUnit, 5),
    stepSize: random.chance(0.8) ? 1 : random.between(2, 3),
  };
}

/** One to eight providers in one to four trees; one in five shares. */
export function randomModel(random: Random): ProviderRecord[] {
  const size = random.between(1, 8);
  const records: ProviderRecord[] = [];
  for (let n = 0; n < size; n++) {
    const parent = n > 0 && random.chance(0.65) ? records[random.between(0, n - 1)] : undefined;
    records.push({
      uuid: uuidOf(1, n),
      name: `${NAMES[n]}${n}`,
      parentUuid: parent?.uuid,
      inventories: CLASSES.filter(() => random.chance(0.5)).map((name) => inventory(random, name)),
      traits: TRAITS.filter((trait) => random.chance(trait === SHARING_TRAIT ? 0.2 : 0.4)),
      aggregates: AGGREGATES.filter(() => random.chance(0.3)),
    });
  }
  return records;
}

const some = <T>(random: Random, list: readonly T[], most: number): T[] => {
  const picked = list.filter(() => random.chance(0.5)).slice(0, most);
  return picked.length > 0 ? picked : [list[random.between(0, list.length - 1)]!];
};

function traitValue(random: Random, isPlain: boolean): string {
  const names = TRAITS.slice(0, 3);
  if (!isPlain && random.chance(0.3)) return `in:${some(random, names, 3).join()}`;
  return some(random, names, 2)
    .map((trait) => (random.chance(0.4) ? `!${trait}` : trait))
    .join();
}

function aggregateValue(random: Random): string {
  const list = some(random, [...AGGREGATES, uuidOf(9, 77)], 2);
  const mark = random.chance(0.3) ? '!' : '';
  return list.length === 1 && random.chance(0.7) ? `${mark}${list[0]}` : `${mark}in:${list.join()}`;
}

export interface QueryShape {
  /**
   * Also what the reference does not have: root_member_of, isolate, several suffixed groups without a policy.
   */
  readonly beyond: boolean;
}

/** A well-formed query, as name and value pairs (a trait may contradict itself; the reader says so). */
export function randomQuery(
  random: Random,
  model: readonly ProviderRecord[],
  { beyond }: QueryShape,
): [string, string][] {
  const pairs: [string, string][] = [];
  const suffixes = ['', '_A', '_B', '3'].filter(() => random.chance(0.45));
  if (suffixes.length === 0) suffixes.push(random.chance(0.5) ? '' : '_A');
  const suffixed = suffixes.filter((suffix) => suffix !== '');
  const subtrees = suffixed.length > 0 && random.chance(0.4) ? [some(random, suffixed, 3)] : [];
  if (subtrees.length > 0 && random.chance(0.3)) subtrees.push(some(random, suffixed, 2));
  let hasResources = false;
  for (const suffix of suffixes) {
    const mayBeEmpty = subtrees.flat().includes(suffix) && (hasResources || suffixes.at(-1) !== suffix);
    if (!mayBeEmpty || random.chance(0.6)) {
      hasResources = true;
      const classes = some(random, CLASSES, 2);
      pairs.push([`resources${suffix}`, classes.map((name) => `${name}:${random.between(1, 3)}`).join()]);
    } else pairs.push([`required${suffix}`, 'CUSTOM_A']);
    while (random.chance(0.25)) pairs.push([`required${suffix}`, traitValue(random, false)]);
    while (random.chance(0.15)) pairs.push([`member_of${suffix}`, aggregateValue(random)]);
    if (random.chance(0.1)) pairs.push([`in_tree${suffix}`, uuidOf(1, random.between(0, model.length))]);
  }
  for (const subtree of subtrees) pairs.push(['same_subtree', subtree.join()]);
  if (random.chance(0.15)) pairs.push(['root_required', traitValue(random, true)]);
  if (beyond && random.chance(0.15)) pairs.push(['root_member_of', aggregateValue(random)]);
  if (beyond && suffixed.length > 0 && random.chance(0.3))
    pairs.push(['isolate', some(random, suffixed, 2).join()]);
  else if ((!beyond && suffixed.length > 1) || random.chance(0.4))
    pairs.push(['group_policy', random.chance(0.5) ? 'none' : 'isolate']);
  return pairs;
}
