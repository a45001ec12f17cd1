import { expect } from 'chai';
import { Random } from '../../../bench/generate/random.ts';
import { audit, isWarning } from '../../../src/ledger/claims/audit/audit.ts';
import { removeInventories } from '../../../src/ledger/claims/changes/inventory-changes.ts';
import { claim, expireDue } from '../../../src/ledger/claims/claim/claim.ts';
import type { ClaimRequest } from '../../../src/ledger/claims/claim/claim-request.ts';
import { type HandOverRefusal, moveClaims } from '../../../src/ledger/claims/claim/hand-over.ts';
import { change, type Ledger } from '../../../src/ledger/claims/claim/ledger.ts';
import { confirmClaims, renewClaims } from '../../../src/ledger/claims/claim/renewal.ts';
import { readImage } from '../../../src/ledger/claims/cluster/read-image.ts';
import type { Outcome } from '../../../src/ledger/claims/model/refusal.ts';
import { forSeedsAsync, halved } from '../../builders/seeds.ts';
import { describeOnEachStore } from '../store/each-store.ts';
import { type BruteInventory, BruteLedger, type BruteOutcome } from './brute-ledger.ts';
import { AUTHOR, addProvider, freshLedger, START, stockProvider, type TestClock, uuidOf } from './ledgers.ts';

const CLASSES = ['VCPU', 'MEMORY_MB', 'DISK_GB'];
const CONSUMERS = ['a', 'b', 'c', 'd', 'e'];
const PROVIDERS = 3;
const STEPS = 30;

/** Small figures, so that edges are met: units off the step, ratios that do not divide, next to no room. */
function someInventory(random: Random): BruteInventory {
  const total = random.between(4, 14);
  const minUnit = random.pick([1, 1, 1, 2, 4]);
  return {
    total,
    reserved: random.chance(0.2) ? random.between(0, total) : 0,
    minUnit,
    maxUnit: random.between(minUnit + 2, 20),
    stepSize: random.pick([1, 1, 1, 1, 2, 3]),
    allocationRatio: random.pick(['1', '1', '1', '1.15', '0.5', '1.333333333333333333', '0.07']),
  };
}

/** Few moments, so that ends fall together. */
const someEnd = (random: Random, now: number): number => now + 1000 * random.between(1, 4);

/**
 * One or several consumers at once; some want of one class in several groups, of what is not there, or with a
 * generation.
 */
function someRequest(random: Random, brute: BruteLedger, now: number): ClaimRequest {
  const consumers = [...new Set(Array.from({ length: random.between(1, 3) }, () => random.pick(CONSUMERS)))];
  return {
    consumers: consumers.map((consumer) => ({
      consumer,
      allocations: Array.from({ length: random.between(0, 3) }, () => ({
        provider: uuidOf(random.chance(0.02) ? 99 : random.between(1, PROVIDERS)),
        class: random.pick(CLASSES),
        amount: random.between(1, random.chance(0.05) ? 40 : 6),
        expiresAt: random.chance(0.2) ? someEnd(random, now) : undefined,
      })),
      expiresAt: random.chance(0.3) ? someEnd(random, now) : undefined,
      generation: random.chance(0.25)
        ? random.pick([brute.consumers.get(consumer)?.generation ?? null, 1, null])
        : undefined,
    })),
    stepMode: random.pick(['exempt', 'strict']),
    action: 'claim',
  };
}

/** The ledger's outcome in the words of the brute one. */
function inShort(outcome: Outcome<unknown, HandOverRefusal>): BruteOutcome {
  const reasons =
    outcome.kind !== 'refused'
      ? []
      : outcome.refusals.map((one) => {
          if (one.kind === 'capacity') return `${one.provider} ${one.class} room`;
          if (one.kind === 'unit') return `${one.provider} ${one.class} ${one.rule}`;
          if (one.kind === 'no-inventory') return `${one.provider} ${one.class} none`;
          return one.kind === 'unknown-provider' ? `${one.provider} unknown` : 'nobody';
        });
  return { kind: outcome.kind, reasons: reasons.sort() };
}

/** All that either of them holds, as one plain value. */
async function contents(ledger: Ledger): Promise<object> {
  const { image, generations, consumers } = await ledger.store.read(async (session) => ({
    image: await readImage(session),
    generations: await session.all<{ uuid: string; generation: number }>(
      'SELECT uuid, generation FROM resource_providers ORDER BY uuid',
    ),
    consumers: await session.all<{ uuid: string; generation: number }>(
      'SELECT uuid, generation FROM consumers ORDER BY uuid',
    ),
  }));
  return {
    generations: generations.map(({ uuid, generation }) => [uuid, generation]),
    consumers: consumers.map(({ uuid, generation }) => [
      uuid,
      generation,
      [...image.consumers.get(uuid)!.allocations]
        .flatMap(([provider, classes]) => [...classes].map(([name, used]) => `${provider} ${name} ${used}`))
        .sort(),
      image.consumers
        .get(uuid)!
        .ends.map(({ provider, class: name, at, amount }) => `${provider} ${name} ${amount} at ${at}`)
        .sort(),
    ]),
  };
}

const endTexts = (key: string, units: readonly (number | null)[]): readonly string[] =>
  [...new Set(units)].flatMap((at) =>
    at === null ? [] : [`${key} ${units.filter((one) => one === at).length} at ${at}`],
  );

const bruteContents = (brute: BruteLedger): object => ({
  generations: [...brute.generations].sort(),
  consumers: [...brute.consumers]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { generation, held }]) => [
      name,
      generation,
      [...held].map(([key, units]) => `${key} ${units.length}`).sort(),
      [...held].flatMap(([key, units]) => endTexts(key, units)).sort(),
    ]),
});

async function step(ledger: Ledger, brute: BruteLedger, random: Random, clock: TestClock): Promise<string> {
  const provider = uuidOf(random.between(1, PROVIDERS));
  const name = random.pick(CLASSES);
  const what = random.weighted({
    claim: 12,
    move: 2,
    set: 3,
    remove: 1,
    wait: 2,
    expire: 1,
    confirm: 1,
    renew: 1,
  });
  if (what === 'claim') {
    const request = someRequest(random, brute, clock.ms);
    let expected = brute.claim(request);
    // Who lacks room has what is due given back first.
    if (expected.reasons.some((reason) => reason.endsWith(' room')) && brute.expire(clock.ms) > 0)
      expected = brute.claim(request);
    expect(inShort(await claim(ledger, AUTHOR, request)), JSON.stringify(request)).to.deep.equal(expected);
    return expected.kind;
  }
  if (what === 'move') {
    const [from, to] = [random.pick(CONSUMERS), random.pick(CONSUMERS)];
    if (from === to) return what;
    const moved = await moveClaims(ledger, AUTHOR, { from, to, stepMode: 'exempt' });
    expect(inShort(moved), `${from} to ${to}`).to.deep.equal(brute.move(from, to));
  } else if (what === 'wait') {
    clock.ms += 1000 * random.between(1, 2);
  } else if (what === 'expire') {
    expect((await expireDue(ledger)).length).to.equal(brute.expire(clock.ms));
  } else if (what === 'confirm' || what === 'renew') {
    const consumer = random.pick(CONSUMERS);
    const until = what === 'confirm' ? null : someEnd(random, clock.ms);
    const { kind } =
      until === null
        ? await confirmClaims(ledger, AUTHOR, [consumer])
        : await renewClaims(ledger, AUTHOR, [consumer], until);
    expect(kind === 'done').to.equal(brute.setEnds(consumer, until, clock.ms));
  } else if (what === 'set') {
    const inventory = someInventory(random);
    await stockProvider(ledger, provider, { [name]: inventory });
    brute.setInventory(provider, name, inventory);
  } else {
    const removed = await change(ledger, AUTHOR, (session, context) =>
      removeInventories(session, context, { provider }, [name]),
    );
    expect(removed.kind === 'done').to.equal(brute.removeInventory(provider, name));
  }
  return what;
}

describeOnEachStore('a ledger', (freshUrl) => {
  it('does what a brute one does, claim by claim', async () => {
    const seen = new Map<string, number>();
    await forSeedsAsync(halved(8), async (seed) => {
      const random = new Random(seed, 'ledger');
      const clock = { ms: START };
      const ledger = await freshLedger(await freshUrl(), clock);
      try {
        const brute = new BruteLedger();
        for (let i = 1; i <= PROVIDERS; i++) {
          const stock = Object.fromEntries(CLASSES.map((name) => [name, someInventory(random)]));
          await addProvider(ledger, i, stock);
          brute.generations.set(uuidOf(i), 1);
          for (const [name, inventory] of Object.entries(stock))
            brute.inventories.set(`${uuidOf(i)} ${name}`, inventory);
        }
        for (let i = 0; i < STEPS; i++) {
          const what = await step(ledger, brute, random, clock);
          seen.set(what, 1 + (seen.get(what) ?? 0));
          expect(await contents(ledger), `seed ${seed}, step ${i}`).to.deep.equal(bruteContents(brute));
        }
        const faults = (await ledger.store.read(audit)).filter((finding) => !isWarning(finding));
        expect(faults, `seed ${seed}`).to.deep.equal([]);
      } finally {
        await ledger.store.close();
      }
    });
    for (const kind of ['done', 'refused', 'conflict', 'wait', 'expire', 'confirm', 'renew'])
      expect(seen.get(kind), kind).to.be.above(3);
  });
});
