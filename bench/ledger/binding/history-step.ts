/**
 * One random thing that happens to a book of pods, drawn by a seed: mostly requests, and what changes their
 * answers.
 */
import { bind, expire, unbind } from '../../../src/ledger/binding/book/bind.ts';
import type { Book } from '../../../src/ledger/binding/book/book.ts';
import { endMaintenance, startMaintenance } from '../../../src/ledger/binding/book/maintenance.ts';
import { addPod, setPod, setPolicy } from '../../../src/ledger/binding/book/pods.ts';
import { rebind } from '../../../src/ledger/binding/book/rebind.ts';
import { select } from '../../../src/ledger/binding/book/select.ts';
import { refreshUsage } from '../../../src/ledger/binding/book/usage.ts';
import type { Affinity, Policy, Question, Request } from '../../../src/ledger/binding/model/pod.ts';
import type { Random } from '../../generate/random.ts';

/** What a request was told: enough to ask again. */
export interface Told {
  readonly tenant: string;
  readonly kind: 'kept' | 'bound' | 'none';
  /** null: none. */
  readonly pod: number | null;
  readonly binding: number | null;
  readonly generation: number;
  readonly question: Question;
  readonly policy: Policy;
  /** The pod that was left out because the tenant was leaving it. */
  readonly without: number | null;
}

const CAD = { resource: 'CAD Modeling' };

/** Three zones and three purposes; some pods in no zone. */
const PODS: readonly { readonly name: string; readonly az?: string; readonly affinity?: Affinity }[] = [
  { name: 'P1' },
  { name: 'P2', az: 'a1' },
  { name: 'P3', az: 'a2' },
  { name: 'P4', az: 'a1' },
  { name: 'P5', az: 'a2' },
  { name: 'C1', az: 'a1', affinity: CAD },
  { name: 'C2', az: 'a2', affinity: CAD },
  { name: 'C3', affinity: CAD },
  { name: 'G1', az: 'a1', affinity: { resource: 'GPU', disk: 'ssd' } },
  { name: 'G2', affinity: { resource: 'GPU' } },
];

const NAMES = PODS.map(({ name }) => name);
const TENANTS = Array.from({ length: 40 }, (_, at) => `t${at}`);
const SPECS: readonly Affinity[] = [
  {},
  {},
  { 'hw:numa': '2' },
  CAD,
  { ...CAD, 'hw:numa': '2' },
  { resource: 'GPU' },
  { resource: 'GPU', disk: 'ssd' },
  { resource: 'nobody has it' },
];
const WEIGHERS: readonly Policy['weighers'][] = [
  { age: 1 },
  { age: 1, idle: 1 },
  { idle: 1 },
  { weight: 1, cost: 2 },
];
const TOTAL = 1000;
const MINUTE_MS = 60_000;

/** How often what is done. Requests are counted by whoever draws. */
const WEIGHTS = {
  request: 80,
  usage: 7,
  maintenance: 3,
  end: 3,
  rebind: 1,
  bind: 2,
  unbind: 1,
  limits: 1,
  state: 1,
  policy: 0.5,
  expire: 0.5,
};

export async function fillBook(book: Book): Promise<void> {
  for (const pod of PODS) await addPod(book, 'history', { ...pod, weight: pod.name.length, cost: null });
}

const request = (random: Random): Request => ({
  tenant: random.pick(TENANTS),
  az: random.pick(['', '', 'a1', 'a2']),
  specs: random.pick(SPECS),
  need: random.chance(0.2) ? { memory: random.below(TOTAL / 2) } : {},
});

/** Does one thing. @returns what a request was told; undefined when it was something else */
export async function step(book: Book, random: Random, actor: string): Promise<Told | undefined> {
  const pod = random.pick(NAMES);
  switch (random.weighted(WEIGHTS)) {
    case 'request': {
      const asked = request(random);
      const policy = random.chance(0.1) ? { weighers: random.pick(WEIGHERS) } : {};
      const lastsMs = random.chance(0.05) ? random.below(5) * MINUTE_MS : undefined;
      const told = await select(book, asked, { actor, policy, lastsMs });
      return {
        tenant: asked.tenant,
        kind: told.kind,
        pod: told.kind === 'none' ? null : told.pod.id,
        binding: told.kind === 'none' ? null : told.binding.id,
        generation: told.generation,
        question: told.question,
        policy: told.policy,
        without: told.kind === 'kept' ? null : told.without,
      };
    }
    case 'usage': {
      const used = random.below(TOTAL + 1);
      const usage = random.chance(0.1)
        ? null
        : { memory: { total: TOTAL, used }, disk: { total: TOTAL, free: TOTAL - random.below(used + 1) } };
      await refreshUsage(book, actor, [{ pod, usage }]);
      return undefined;
    }
    case 'maintenance':
      await startMaintenance(book, actor, pod, random.chance(0.3));
      return undefined;
    case 'end':
      for (const name of NAMES)
        if (random.chance(0.5)) await endMaintenance(book, actor, name, random.chance(0.5));
      return undefined;
    case 'rebind':
      await rebind(book, actor, random.chance(0.5) ? {} : { tenants: [random.pick(TENANTS)] });
      return undefined;
    case 'bind':
      await bind(book, actor, { tenant: random.pick(TENANTS), pod, az: '' });
      return undefined;
    case 'unbind':
      await unbind(book, random.pick(TENANTS));
      return undefined;
    case 'limits': {
      const reopen = random.chance(0.5) ? 0.5 : null;
      const limit = random.chance(0.5) ? { free: random.below(300) } : { share: random.between(5, 10) / 10 };
      await setPod(book, actor, pod, () => ({ limits: { metrics: { '*': limit }, reopen } }));
      return undefined;
    }
    case 'state':
      await setPod(book, actor, pod, ({ state }) => ({ state: state === 'closed' ? 'open' : 'closed' }));
      return undefined;
    case 'policy':
      await setPolicy(book, actor, { weighers: random.pick(WEIGHERS) });
      return undefined;
    default:
      await expire(book);
      return undefined;
  }
}
