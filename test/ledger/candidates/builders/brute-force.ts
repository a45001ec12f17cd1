/**
 * Candidates by definition: every way to give every slot any provider of the whole model, for every root,
 * kept when all conditions hold. Shares no code with the search; slow, so models are small.
 */
import type { ProviderRecord } from '../../../../src/ledger/candidates/forest/provider.ts';
import type { CandidateRequest, RequestGroup } from '../../../../src/ledger/candidates/request/request.ts';

export interface BruteOptions {
  readonly stepMode?: 'strict' | 'exempt';
  readonly distinct?: 'mappings' | 'allocations';
}

interface Take {
  readonly group: RequestGroup;
  readonly amounts: readonly (readonly [string, number])[];
}

class World {
  readonly records: readonly ProviderRecord[];
  private readonly byUuid: ReadonlyMap<string, ProviderRecord>;

  constructor(records: readonly ProviderRecord[]) {
    this.records = records;
    this.byUuid = new Map(records.map((record) => [record.uuid, record]));
  }

  parent(record: ProviderRecord): ProviderRecord | undefined {
    return record.parentUuid === undefined ? undefined : this.byUuid.get(record.parentUuid);
  }

  ancestors(record: ProviderRecord): ProviderRecord[] {
    const above = this.parent(record);
    return above ? [record, ...this.ancestors(above)] : [record];
  }

  root(record: ProviderRecord): ProviderRecord {
    return this.ancestors(record).at(-1)!;
  }

  rootOfUuid(uuid: string): ProviderRecord | undefined {
    const record = this.byUuid.get(uuid);
    return record && this.root(record);
  }

  /** In the anchor's tree, or sharing with somebody of it. */
  serves(record: ProviderRecord, anchor: ProviderRecord): boolean {
    if (this.root(record) === anchor) return true;
    if (!record.traits.includes('MISC_SHARES_VIA_AGGREGATE')) return false;
    return this.records.some(
      (other) =>
        this.root(other) === anchor && other.aggregates.some((uuid) => record.aggregates.includes(uuid)),
    );
  }
}

const meets = (held: readonly string[], wanted: readonly (readonly string[])[]): boolean =>
  wanted.every((anyOf) => anyOf.some((name) => held.includes(name)));
const avoids = (held: readonly string[], names: readonly string[]): boolean =>
  names.every((name) => !held.includes(name));

const takesOf = (request: CandidateRequest): Take[] =>
  request.groups.flatMap((group): Take[] =>
    group.suffix === ''
      ? [...group.resources].map((amount) => ({ group, amounts: [amount] }))
      : [{ group, amounts: [...group.resources] }],
  );

function stepHolds(
  n: number,
  { minUnit, stepSize }: { minUnit: number; stepSize: number },
  rule: string,
): boolean {
  return n % stepSize === 0 || (rule === 'exempt' && n === minUnit);
}

function aloneHolds(
  world: World,
  record: ProviderRecord,
  anchor: ProviderRecord,
  { group, amounts }: Take,
  rule: string,
): boolean {
  if (!world.serves(record, anchor)) return false;
  for (const [name, n] of amounts) {
    const inventory = record.inventories.find(({ resourceClass }) => resourceClass === name);
    if (
      !inventory ||
      n < inventory.minUnit ||
      n > inventory.maxUnit ||
      n + inventory.used > inventory.capacity
    )
      return false;
    if (!stepHolds(n, inventory, rule)) return false;
  }
  if (!avoids(record.traits, group.forbidden)) return false;
  const inOwnTree = world.root(record) === anchor;
  if (group.inTree !== undefined) {
    const wanted = world.rootOfUuid(group.inTree);
    if (world.root(record) !== wanted) return false;
    if (group.suffix === '' && !inOwnTree) return false;
  }
  if (group.suffix !== '')
    return (
      meets(record.traits, group.required) &&
      meets(record.aggregates, group.memberOf) &&
      avoids(record.aggregates, group.notMemberOf)
    );
  const memberHolds =
    meets(record.aggregates, group.memberOf) || (inOwnTree && meets(anchor.aggregates, group.memberOf));
  return (
    memberHolds &&
    avoids(record.aggregates, group.notMemberOf) &&
    avoids(anchor.aggregates, group.notMemberOf)
  );
}

/** Conditions on the candidate as a whole. */
function togetherHolds(
  world: World,
  request: CandidateRequest,
  takes: readonly Take[],
  chosen: readonly ProviderRecord[],
  rule: string,
): boolean {
  const sums = new Map<string, number>();
  takes.forEach(({ amounts }, k) => {
    for (const [name, n] of amounts) {
      const key = `${chosen[k]!.uuid} ${name}`;
      sums.set(key, (sums.get(key) ?? 0) + n);
    }
  });
  for (const [key, n] of sums) {
    const [uuid, name] = key.split(' ');
    const inventory = world.records
      .find((r) => r.uuid === uuid)!
      .inventories.find((i) => i.resourceClass === name)!;
    if (n > inventory.maxUnit || n + inventory.used > inventory.capacity || !stepHolds(n, inventory, rule))
      return false;
  }
  const bySuffix = new Map<string, Set<ProviderRecord>>();
  takes.forEach(({ group }, k) => {
    bySuffix.set(group.suffix, (bySuffix.get(group.suffix) ?? new Set()).add(chosen[k]!));
  });
  const unsuffixed = request.groups.find(({ suffix }) => suffix === '');
  if (
    unsuffixed &&
    !meets(
      [...bySuffix.get('')!].flatMap(({ traits }) => traits),
      unsuffixed.required,
    )
  )
    return false;
  if (request.groupPolicy === 'isolate') {
    const providers = [...bySuffix].filter(([suffix]) => suffix !== '').flatMap(([, set]) => [...set]);
    if (new Set(providers).size < providers.length) return false;
  }
  for (const suffix of request.isolate)
    for (const [other, set] of bySuffix)
      if (other !== suffix && [...set].some((record) => bySuffix.get(suffix)!.has(record))) return false;
  for (const suffixes of request.sameSubtree) {
    const set = suffixes.flatMap((suffix) => [...bySuffix.get(suffix)!]);
    if (!set.some((top) => set.every((record) => world.ancestors(record).includes(top)))) return false;
  }
  return true;
}

function text(takes: readonly Take[], chosen: readonly ProviderRecord[], distinct: string): string {
  const sums = new Map<string, number>();
  const mappings = new Set<string>();
  takes.forEach(({ group, amounts }, k) => {
    mappings.add(`${group.suffix}->${chosen[k]!.name}`);
    for (const [name, n] of amounts) {
      const key = `${chosen[k]!.name} ${name}`;
      sums.set(key, (sums.get(key) ?? 0) + n);
    }
  });
  const allocations = [...sums].map(([key, n]) => `${key}:${n}`).sort();
  return `${allocations.join(', ')}${distinct === 'allocations' ? '' : ` | ${[...mappings].sort().join(', ')}`}`;
}

/** All candidates as texts (allocations, then mappings), sorted. */
export function bruteForce(
  records: readonly ProviderRecord[],
  request: CandidateRequest,
  options: BruteOptions = {},
): string[] {
  const world = new World(records);
  const rule = options.stepMode ?? 'strict';
  const takes = takesOf(request);
  const found = new Set<string>();
  for (const anchor of records) {
    if (anchor.parentUuid !== undefined) continue;
    if (!meets(anchor.traits, request.root.required) || !avoids(anchor.traits, request.root.forbidden))
      continue;
    if (
      !meets(anchor.aggregates, request.root.memberOf) ||
      !avoids(anchor.aggregates, request.root.notMemberOf)
    )
      continue;
    const choices = takes.map((take) =>
      records.filter((record) => aloneHolds(world, record, anchor, take, rule)),
    );
    const chosen: ProviderRecord[] = [];
    const go = (k: number): void => {
      if (k === takes.length) {
        if (togetherHolds(world, request, takes, chosen, rule))
          found.add(text(takes, chosen, options.distinct ?? 'mappings'));
        return;
      }
      for (const record of choices[k]!) {
        chosen.push(record);
        go(k + 1);
        chosen.pop();
      }
    };
    go(0);
  }
  return [...found].sort();
}
