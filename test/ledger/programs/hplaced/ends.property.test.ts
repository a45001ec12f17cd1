import { expect } from 'chai';
import { Random } from '../../../../bench/generate/random.ts';
import { expireDue } from '../../../../src/ledger/claims/claim/claim.ts';
import { forSeedsAsync } from '../../../builders/seeds.ts';
import { BruteLedger } from '../../claims/brute-ledger.ts';
import { addProvider, freshLedger, START, uuidOf } from '../../claims/ledgers.ts';
import { describeOnEachStore } from '../../store/each-store.ts';
import { type InProcess, serviceOn } from './in-process.ts';

const PROVIDERS = 3;
const CLASSES = ['VCPU', 'DISK_GB'];
const CONSUMERS = [11, 12, 13, 14].map(uuidOf);
const TOTAL = 12;
const STOCK = { total: TOTAL, reserved: 0, minUnit: 1, maxUnit: TOTAL, stepSize: 1, allocationRatio: '1' };
const STEPS = 100;
/** After each so many steps all consumers are looked at, after the others the one that was asked about. */
const EACH_ALL = 5;
const DONE = [200, 204];

type Amounts = Record<string, Record<string, number>>;

/** What a consumer asks for: over HTTP, and as a claim. */
function someWish(random: Random, consumer: string, generation: number | null, now: number) {
  const amounts: Amounts = {};
  for (let i = random.between(0, 2); i > 0; i--)
    amounts[uuidOf(random.between(1, PROVIDERS))] = { [random.pick(CLASSES)]: random.between(1, 6) };
  const seconds = random.chance(0.5) ? random.between(1, 4) : undefined;
  const body = {
    allocations: Object.fromEntries(
      Object.entries(amounts).map(([provider, resources]) => [provider, { resources }]),
    ),
    consumer_generation: generation,
    project_id: 'p',
    user_id: 'u',
    consumer_type: 'INSTANCE',
    lasts_seconds: seconds,
  };
  const allocations = Object.entries(amounts).flatMap(([provider, resources]) =>
    Object.entries(resources).map(([name, amount]) => ({ provider, class: name, amount })),
  );
  const expiresAt = seconds === undefined ? undefined : now + seconds * 1000;
  return { body, claim: { consumer, allocations, generation, expiresAt } };
}

/** What GET shows of a consumer: amounts, ends and generation. */
async function shown(service: InProcess, consumer: string): Promise<object> {
  const { body } = await service.call('GET', `/allocations/${consumer}`);
  type Shown = { resources: Amounts[string]; ends: { at: string; resources: Amounts[string] }[] };
  const entries = Object.entries(body.allocations as Record<string, Shown>);
  const lines = entries.flatMap(([provider, { resources, ends }]) => [
    ...Object.entries(resources).map(([name, used]) => `${provider} ${name} ${used}`),
    ...ends.flatMap(({ at, resources: ending }) =>
      Object.entries(ending).map(([name, used]) => `${provider} ${name} ${used} at ${Date.parse(at)}`),
    ),
  ]);
  return { generation: body.consumer_generation ?? null, lines: lines.sort() };
}

function expected(brute: BruteLedger, consumer: string): object {
  const { generation = null, held = new Map() } = brute.consumers.get(consumer) ?? {};
  const lines = [...held].flatMap(([key, units]: [string, readonly (number | null)[]]) => [
    `${key} ${units.length}`,
    ...[...new Set(units)].flatMap((at) =>
      at === null ? [] : [`${key} ${units.filter((one) => one === at).length} at ${at}`],
    ),
  ]);
  return { generation, lines: lines.sort() };
}

describeOnEachStore('the service', (freshUrl) => {
  it('keeps ends as a brute ledger does, request by request', async () => {
    const seen = new Map<string, number>();
    await forSeedsAsync(2, async (seed) => {
      const random = new Random(seed, 'ends over http');
      const clock = { ms: START };
      const ledger = await freshLedger(await freshUrl(), clock);
      const service = serviceOn(ledger);
      const brute = new BruteLedger();
      for (let i = 1; i <= PROVIDERS; i++) {
        await addProvider(ledger, i, { VCPU: { total: TOTAL }, DISK_GB: { total: TOTAL } });
        brute.generations.set(uuidOf(i), 1);
        for (const name of CLASSES) brute.inventories.set(`${uuidOf(i)} ${name}`, STOCK);
      }
      const wish = (consumer: string) => {
        const generation = random.chance(0.9) ? (brute.consumers.get(consumer)?.generation ?? null) : 7;
        return someWish(random, consumer, generation, clock.ms);
      };
      /** Who lacks room has what is due given back first. */
      const bruteClaim = (consumers: ReturnType<typeof someWish>['claim'][]): boolean => {
        const request = { consumers, stepMode: 'strict', action: 'claim' } as const;
        const first = brute.claim(request);
        const isShort = first.reasons.some((reason) => reason.endsWith(' room'));
        if (!isShort || brute.expire(clock.ms) === 0) return first.kind === 'done';
        return brute.claim(request).kind === 'done';
      };
      for (let i = 0; i < STEPS; i++) {
        const what = random.weighted({ put: 8, post: 3, wait: 3, expire: 1, confirm: 2, renew: 2 });
        const consumer = random.pick(CONSUMERS);
        const path = `/allocations/${consumer}`;
        let status: number | undefined;
        let isRight = true;
        if (what === 'put') {
          const { body, claim } = wish(consumer);
          ({ status } = await service.call('PUT', path, body));
          isRight = bruteClaim([claim]);
        } else if (what === 'post') {
          const some = [...new Set([consumer, random.pick(CONSUMERS)])].map(
            (one) => [one, wish(one)] as const,
          );
          const bodies = Object.fromEntries(some.map(([one, { body }]) => [one, body]));
          ({ status } = await service.call('POST', '/allocations', bodies));
          isRight = bruteClaim(some.map(([, { claim }]) => claim));
        } else if (what === 'confirm') {
          ({ status } = await service.call('POST', `${path}/confirm`));
          isRight = brute.setEnds(consumer, null, clock.ms);
        } else if (what === 'renew') {
          const seconds = random.between(1, 4);
          ({ status } = await service.call('POST', `${path}/renew`, { lasts_seconds: seconds }));
          isRight = brute.setEnds(consumer, clock.ms + seconds * 1000, clock.ms);
        } else if (what === 'wait') clock.ms += 1000 * random.between(1, 2);
        else expect((await expireDue(ledger)).length).to.equal(brute.expire(clock.ms));
        const where = `seed ${seed}, step ${i}, ${what}: ${status}`;
        if (status !== undefined) expect(DONE.includes(status), where).to.equal(isRight);
        const kind = `${what} ${isRight}`;
        seen.set(kind, 1 + (seen.get(kind) ?? 0));
        // What should have stayed as it was may be seen a few steps later.
        for (const one of i % EACH_ALL === 0 ? CONSUMERS : [consumer])
          expect(await shown(service, one), where).to.deep.equal(expected(brute, one));
      }
      await service.close();
    });
    for (const what of ['put', 'post', 'confirm', 'renew'])
      for (const isRight of [true, false]) expect(seen.get(`${what} ${isRight}`), what).to.be.above(3);
  });
});
