/**
 * One process that claims, moves and releases until it is killed. Arguments: URL, log file, a name of its
 * own, seed.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { claim } from '../../../src/ledger/claims/claim/claim.ts';
import type { ConsumerClaim } from '../../../src/ledger/claims/claim/claim-request.ts';
import { moveClaims } from '../../../src/ledger/claims/claim/hand-over.ts';
import { type Ledger, openLedger } from '../../../src/ledger/claims/claim/ledger.ts';
import { confirmClaims } from '../../../src/ledger/claims/claim/renewal.ts';
import { Random } from '../../generate/random.ts';
import { type Holding, type Wish, write } from './torture-log.ts';

const [url = '', log = '', name = '', seed = '0'] = process.argv.slice(2);
const random = new Random(Number(seed), name);
const AUTHOR = { actor: name };

const CLASSES = ['VCPU', 'MEMORY_MB', 'DISK_GB'];
const MOST = 4;
/** Some ends come while the processes are at work. */
const ENDS_MS = [100, 1000, 3_600_000];

const claimsOf = (holding: Holding): ConsumerClaim['allocations'] =>
  Object.entries(holding).flatMap(([provider, amounts]) =>
    Object.entries(amounts).map(([className, amount]) => ({ provider, class: className, amount })),
  );

class Worker {
  private readonly ledger: Ledger;
  private readonly providers: readonly string[];
  private readonly held = new Map<string, Holding>();
  /** Those of the consumers that may be gone by themselves. */
  private readonly ending = new Set<string>();
  private count = 0;

  constructor(ledger: Ledger, providers: readonly string[]) {
    this.ledger = ledger;
    this.providers = providers;
  }

  /** Carries out one operation, with its outcome in the log. */
  async step(): Promise<void> {
    const consumers = [...this.held.keys()];
    const what =
      consumers.length === 0
        ? 'claim'
        : random.pick(['claim', 'claim', 'replace', 'move', 'confirm', 'release', 'release'] as const);
    if (what === 'claim')
      await this.put(
        this.newName(),
        this.someHolding(),
        random.chance(0.4) ? random.pick(ENDS_MS) : undefined,
      );
    else if (what === 'confirm') await this.confirm(random.pick(consumers));
    else if (what === 'replace') await this.put(random.pick(consumers), this.someHolding());
    else if (what === 'release') await this.put(random.pick(consumers), {});
    else await this.move(random.pick(consumers));
  }

  private newName(): string {
    return `${name}-${++this.count}`;
  }

  private someHolding(): Holding {
    const holding: Record<string, Record<string, number>> = {};
    for (let i = 0; i < 1 + random.below(2); i++) {
      const amounts: Record<string, number> = {};
      for (let j = 0; j < 1 + random.below(2); j++) amounts[random.pick(CLASSES)] = 1 + random.below(MOST);
      holding[random.pick(this.providers)] = amounts;
    }
    return holding;
  }

  private async put(consumer: string, holding: Holding, endMs?: number): Promise<void> {
    const expiresAt = endMs === undefined ? undefined : Date.now() + endMs;
    const claims = { consumer, allocations: claimsOf(holding), project: `p${random.below(4)}`, expiresAt };
    await this.record({ [consumer]: holding }, endMs !== undefined, async () => {
      const request = { consumers: [claims], stepMode: 'exempt', action: 'torture' } as const;
      return (await claim(this.ledger, AUTHOR, request)).kind;
    });
  }

  /** Refused when it is gone. */
  private async confirm(consumer: string): Promise<void> {
    await this.record(
      { [consumer]: this.held.get(consumer)! },
      false,
      async () => (await confirmClaims(this.ledger, AUTHOR, [consumer])).kind,
    );
  }

  private async move(from: string): Promise<void> {
    const to = this.newName();
    await this.record(
      { [from]: {}, [to]: this.held.get(from)! },
      this.ending.has(from),
      async () => (await moveClaims(this.ledger, AUTHOR, { from, to, stepMode: 'exempt' })).kind,
    );
  }

  private async record(
    wish: Wish,
    mayEnd: boolean,
    work: () => Promise<'done' | 'refused' | 'conflict'>,
  ): Promise<void> {
    write(log, { kind: 'intent', wish, mayEnd });
    let outcome: 'done' | 'refused' | 'conflict';
    try {
      outcome = await work();
    } catch {
      // The server is gone: what became of the change is not known, and these consumers are left alone.
      for (const consumer of Object.keys(wish)) this.held.delete(consumer);
      await wait(50);
      return;
    }
    write(log, { kind: outcome === 'done' ? 'done' : 'refused' });
    if (outcome !== 'done') return;
    for (const consumer of Object.keys(wish))
      if (mayEnd) this.ending.add(consumer);
      else this.ending.delete(consumer);
    for (const [consumer, holding] of Object.entries(wish))
      if (Object.keys(holding).length === 0) this.held.delete(consumer);
      else this.held.set(consumer, holding);
  }
}

async function open(): Promise<Ledger> {
  let requests = 0;
  for (;;) {
    try {
      return await openLedger(url, { now: () => Date.now(), newRequest: () => `${name}/${++requests}` });
    } catch {
      await wait(50);
    }
  }
}

async function main(): Promise<void> {
  const ledger = await open();
  for (;;) {
    try {
      const rows = await ledger.store.read((session) =>
        session.all<{ uuid: string }>('SELECT uuid FROM resource_providers ORDER BY uuid'),
      );
      const worker = new Worker(
        ledger,
        rows.map(({ uuid }) => uuid),
      );
      for (;;) await worker.step();
    } catch {
      await wait(50);
    }
  }
}

main();
