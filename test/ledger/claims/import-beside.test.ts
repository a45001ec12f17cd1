import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { prepareSnapshot } from '../../../src/htools/cluster/prepare/prepare.ts';
import { parseText } from '../../../src/htools/sources/text/text.ts';
import { readInput } from '../../../src/kit/files/read-input.ts';
import { audit, isWarning } from '../../../src/ledger/claims/audit/audit.ts';
import { setTraits } from '../../../src/ledger/claims/changes/label-changes.ts';
import { removeProvider } from '../../../src/ledger/claims/changes/provider-changes.ts';
import { change, type Ledger } from '../../../src/ledger/claims/claim/ledger.ts';
import { imageOfSnapshot } from '../../../src/ledger/claims/cluster/from-snapshot.ts';
import { importCluster } from '../../../src/ledger/claims/cluster/import.ts';
import { derivedUuid } from '../../../src/ledger/claims/model/names.ts';
import type { Session, SqlValue } from '../../../src/ledger/store/store.ts';
import { describeOnEachStore } from '../store/each-store.ts';
import { writing } from '../store/writing.ts';
import { AUTHOR, addProvider, claimFor, freshLedger } from './ledgers.ts';

const SMALL = fileURLToPath(new URL('../../../testdata/small.data', import.meta.url));
const snapshot = prepareSnapshot(parseText(readInput(SMALL), SMALL), {}).snapshot;
const cluster = imageOfSnapshot(snapshot, { diskUnit: 'gib', tenantTag: 'htools:tenant:' });
const NODE4 = derivedUuid('node', 'node4.example.com');

/** Long enough for others, where the import does not keep them waiting. */
const PAUSE_MS = 300;

describeOnEachStore('an import beside others', (freshUrl) => {
  let ledger: Ledger;
  let others: Promise<unknown>;
  beforeEach(async () => {
    ledger = await freshLedger(await freshUrl());
  });
  afterEach(async () => {
    await others;
    const faults = (await ledger.store.read(audit)).filter((finding) => !isWarning(finding));
    expect(faults).to.deep.equal([]);
    await ledger.store.close();
  });

  const sync = (on: Ledger, image = cluster) =>
    change(on, AUTHOR, (session, context) => importCluster(session, context, image, 'sync'));

  /** The ledger, in which `work` begins in the middle of a change: in front of this statement. */
  function meeting(statement: RegExp, work: () => Promise<unknown>): Ledger {
    let isMet = false;
    const meet = async (text: string): Promise<void> => {
      if (isMet || !statement.test(text)) return;
      isMet = true;
      others = work();
      await Promise.race([others, wait(PAUSE_MS)]);
    };
    const slowed = (session: Session): Session => {
      const all = async <Row extends object>(text: string, values?: readonly SqlValue[]): Promise<Row[]> => {
        await meet(text);
        return session.all<Row>(text, values);
      };
      return {
        dialect: session.dialect,
        all,
        get: async <Row extends object>(text: string, values?: readonly SqlValue[]) =>
          (await all<Row>(text, values))[0],
        run: (text, values) => session.run(text, values),
        script: (text) => session.script(text),
      };
    };
    const store = writing(ledger.store, (work, isKept) =>
      ledger.store.write((session) => work(slowed(session)), isKept),
    );
    return { ...ledger, store };
  }

  const TRAITS = /FROM provider_traits/;

  it('does not meet halfway a provider that another makes', async () => {
    const late = meeting(TRAITS, async () => {
      const provider = await addProvider(ledger, 9, { VCPU: { total: 4 } });
      return change(ledger, AUTHOR, (session, context) =>
        setTraits(session, context, { provider }, ['HW_CPU_X86_AVX']),
      );
    });
    expect((await sync(late)).kind).to.equal('done');
  });

  it('does not meet halfway a provider that another removes', async () => {
    await sync(ledger);
    const provider = await addProvider(ledger, 9, { VCPU: { total: 4 } });
    const late = meeting(TRAITS, () =>
      change(ledger, AUTHOR, (session, context) => removeProvider(session, context, { provider })),
    );
    expect((await sync(late)).kind).to.equal('done');
  });

  it('and another of the same cluster are both done', async () => {
    const late = meeting(TRAITS, () => sync(ledger));
    expect((await sync(late)).kind).to.equal('done');
    expect(await others).to.include({ kind: 'done' });
  });

  it('looks again where something is promised meanwhile on a node that is gone', async () => {
    await sync(ledger);
    const providers = new Map([...cluster.providers].filter(([uuid]) => uuid !== NODE4));
    const consumers = new Map(
      [...cluster.consumers].filter(([, { allocations }]) => !allocations.has(NODE4)),
    );
    // In front of what is looked up first where a provider is removed.
    const late = meeting(/WHERE p\.uuid = \?/, () => claimFor(ledger, 'promise', { [NODE4]: { VCPU: 1 } }));
    const outcome = await sync(late, { providers, consumers });
    expect(outcome.kind).to.equal('done');
    // SQLite has one writer: there the claim comes when the node is gone.
    expect(await others).to.include({ kind: ledger.store.dialect === 'sqlite' ? 'refused' : 'done' });
  });
});
