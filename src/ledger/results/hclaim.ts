/** hclaim's documents: one a command, and what refusals and conflicts are. */
import { z } from 'zod';
import { changed as changedInThought } from '../../htools/results/parts/explanation.ts';
import { count, flag, head, kind, listOf, moment, name, names } from '../../kit/results/members.ts';

const className = z.string();
const unitRule = z.enum(['min_unit', 'max_unit', 'step_size']);
const generation = z.number().nullable();
const ofProvider = { provider: z.string(), providerName: name, class: className };

/** Why not. */
export const refusal = z
  .discriminatedUnion('kind', [
    kind('unknown-provider', { provider: z.string() }),
    kind('unknown-class', { class: className }),
    kind('no-inventory', ofProvider),
    kind('unit', { ...ofProvider, consumer: name, rule: unitRule, amount: count, limit: count }),
    kind('capacity', {
      ...ofProvider,
      asked: count,
      used: count,
      capacity: count,
      reserved: count,
      lacking: count,
      holders: listOf({ consumer: name, project: name.nullable(), used: count }),
    }),
    kind('name-taken', { name }),
    kind('uuid-taken', { uuid: z.string() }),
    kind('unknown-parent', { parent: z.string() }),
    kind('circle', { provider: z.string(), providerName: name, parent: z.string(), parentName: name }),
    kind('has-children', { provider: z.string(), providerName: name, children: names }),
    kind('in-use', { provider: z.string(), providerName: name, classes: names }),
    kind('unknown-trait', { trait: z.string() }),
    kind('not-empty', { providers: count, consumers: count }),
    kind('unknown-instance', { instance: name }),
    kind('unknown-node', { node: name }),
    /** The ledger has the instance run on other nodes than the plan takes it to be. */
    kind('elsewhere', { instance: name, expected: z.string(), nodes: names }),
    kind('other-copies', { instance: name, nodes: names }),
    kind('unknown-consumer', { consumer: name }),
    kind('expired', { consumer: name }),
  ])
  .meta({ id: 'claimRefusal' });

const conflict = z
  .discriminatedUnion('kind', [
    kind('consumer-generation', { consumer: name, expected: generation, found: generation }),
    kind('provider-generation', { provider: z.string(), expected: generation, found: generation }),
    kind('busy', { detail: z.string() }),
  ])
  .meta({ id: 'conflict' });

const difference = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.enum(['name-missing', 'name-extra']), of: z.enum(['class', 'trait']), name }),
    z.object({ kind: z.enum(['provider-missing', 'provider-extra']), provider: z.string(), name }),
    z.object({ kind: z.literal('provider-held'), provider: z.string(), name, consumers: names }),
    kind('provider-differs', {
      provider: z.string(),
      name,
      what: z.string(),
      ledger: z.string(),
      cluster: z.string(),
    }),
    z.object({ kind: z.enum(['consumer-missing', 'consumer-extra']), consumer: name, amounts: z.string() }),
    kind('consumer-differs', { consumer: name, what: z.string(), ledger: z.string(), cluster: z.string() }),
    kind('moving', { consumer: name, ledger: z.string(), cluster: z.string() }),
    kind('promised', { consumer: name, amounts: z.string() }),
  ])
  .meta({ id: 'difference' });

const finding = z
  .discriminatedUnion('kind', [
    kind('sum', { provider: name, class: className, kept: z.number(), sum: z.number() }),
    kind('owner-sum', { project: name.nullable(), class: className, kept: z.number(), sum: z.number() }),
    kind('orphan', { what: z.string() }),
    kind('generation', { provider: name, generation: z.number(), changes: z.number() }),
    kind('history', { provider: name, consumer: name, recorded: z.string(), found: z.string() }),
    kind('tree', { provider: name }),
    kind('damage', { detail: z.string() }),
    kind('over-capacity', { provider: name, class: className, used: count, capacity: count }),
    kind('unit', { provider: name, class: className, consumer: name, amount: count, rule: unitRule }),
  ])
  .meta({ id: 'finding' });

const aggregate = z.object({ uuid: z.string(), name: name.nullable() });

const consumerFacts = z.object({
  consumer: name,
  generation: z.number(),
  project: name.nullable(),
  user: name.nullable(),
  type: name.nullable(),
  expiresAt: moment.nullable().describe('when the first of it goes back; null: all is for good'),
  allocations: listOf({
    provider: name,
    class: className,
    used: count,
    ends: listOf({ amount: count, expiresAt: moment })
      .optional()
      .describe('what of it goes back unless it is confirmed; left out where all is for good'),
  }),
});

const providerFacts = z.object({
  provider: z.string(),
  name,
  kind: z.enum(['node', 'pool']),
  generation: z.number(),
  parent: name.nullable(),
  traits: names,
  aggregates: z.array(aggregate),
  inventories: listOf({
    class: className,
    total: count,
    reserved: count,
    minUnit: count,
    maxUnit: count,
    stepSize: count,
    allocationRatio: z.string().describe('a decimal number, exactly'),
    used: count,
    capacity: count,
  }),
  consumers: listOf({ consumer: name, project: name.nullable(), amounts: z.record(className, count) }),
});

const usageRow = z.object({
  of: name.nullable().describe('null: by class, or what has no project'),
  class: className,
  used: count,
  capacity: count.nullable(),
});

export const useOverTime = z.object({
  class: className,
  used: z.array(z.number()).describe('at equal distances from the start of the span to its end'),
});

/** One entry of the record of changes; `hclaim watch` prints one a line. */
export const change = z.object({
  id: count,
  at: moment,
  request: z.string(),
  actor: z.string(),
  reason: z.string().nullable(),
  action: z.string(),
  provider: name.nullable(),
  generation: z.number().nullable(),
  consumer: name.nullable(),
  project: name.nullable(),
  before: z.unknown(),
  after: z.unknown(),
});

const place = z.object({ primary: name.nullable(), secondary: name.nullable() });
export const plannedMove = z.object({ instance: name, from: place, to: place });

const done = <C extends string, S extends z.ZodRawShape>(command: C, shape: S) =>
  z.object({ ...head('hclaim'), command: z.literal(command), outcome: z.literal('done'), ...shape });

const changed = { provider: z.string(), generation: z.number() };
const moves = { moves: z.array(plannedMove), claimed: count };

const wholeSince = moment
  .nullable()
  .describe(
    'what is older was removed from the history, but for the last word about what is held; null: nothing',
  );

const endings = [
  done('init', {
    ledger: z.string(),
    from: count.describe('version of the tables before'),
    to: count,
    backups: z.array(z.string()),
  }),
  done('import', {
    mode: z.enum(['fresh', 'compare', 'sync', 'replace']),
    providers: count,
    consumers: count,
    differences: z.array(difference),
    ...changedInThought,
  }),
  done('claim', { consumer: name, generation, expiresAt: moment.nullable() }),
  done('confirm', { consumers: names }),
  done('renew', {
    renewed: listOf({ consumer: name, generation: z.number(), expiresAt: moment.nullable() }),
  }),
  done('move', { from: name, to: name, generation, expiresAt: moment.nullable() }),
  done('release', { consumers: names }),
  done('expire', { consumers: names }),
  done('show', { providers: z.array(usageRow) }),
  done('show', { found: z.array(z.union([consumerFacts, providerFacts])) }),
  done('usage', { by: z.enum(['class', 'provider', 'project', 'group']), usage: z.array(usageRow) }),
  done('usage', { from: moment, to: moment, series: z.array(useOverTime) }),
  done('history', { changes: z.array(change), wholeSince }),
  done('export', { providers: count, consumers: count, differences: z.array(difference) }),
  done('audit', { isClean: flag, findings: z.array(finding), differences: z.array(difference).optional() }),
  done('backup', { ledger: z.string(), file: z.string() }),
  done('restore', {
    ledger: z.string(),
    file: z.string(),
    version: count.describe("version of the backup's tables"),
    keptAs: z.string().nullable().describe('file that has what was before; null: there was nothing'),
  }),
  done('compact', { ledger: z.string(), bytesBefore: count, bytesAfter: count }),
  done('prune', { removed: count, wholeSince }),
  done('plan', moves),
  done('provider add', { provider: z.string(), name }),
  done('provider set', changed),
  done('provider rm', { provider: z.string(), name }),
  done('provider list', {
    providers: listOf({
      uuid: z.string(),
      name,
      parent: z.string().nullable(),
      canHost: flag,
      generation: z.number(),
      traits: names,
      aggregates: z.array(aggregate),
    }),
  }),
  done('inventory set', {
    ...changed,
    overCapacity: listOf({ class: className, used: count, capacity: count }),
  }),
  done('inventory rm', changed),
  done('trait add', changed),
  done('trait rm', changed),
  done('aggregate add', changed),
  done('aggregate rm', changed),
] as const;

const ended = <O extends string, S extends z.ZodRawShape>(outcome: O, shape: S) =>
  z.object({
    ...head('hclaim'),
    command: z.string(),
    outcome: z.literal(outcome),
    ...shape,
    // How far `plan` came.
    ...z.object(moves).partial().shape,
  });

export const hclaim = z.union([
  ...endings,
  ended('refused', { refusals: z.array(refusal) }),
  ended('conflict', { conflict }),
]);
