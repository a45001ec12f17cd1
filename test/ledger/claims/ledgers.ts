/** Ledgers for tests, and short ways to change them. */
import { expect } from 'chai';
import { audit } from '../../../src/ledger/claims/audit/audit.ts';
import { setInventories } from '../../../src/ledger/claims/changes/inventory-changes.ts';
import { createProvider } from '../../../src/ledger/claims/changes/provider-changes.ts';
import { type ClaimOutcome, claim } from '../../../src/ledger/claims/claim/claim.ts';
import type { ClaimRequest, ConsumerClaim } from '../../../src/ledger/claims/claim/claim-request.ts';
import { change, initLedger, type Ledger } from '../../../src/ledger/claims/claim/ledger.ts';
import { INVENTORY_DEFAULTS, type Inventory } from '../../../src/ledger/claims/model/inventory.ts';
import type { Session, SqlValue } from '../../../src/ledger/store/store.ts';

export const AUTHOR = { actor: 'tester' };

/** 2026-01-01, in milliseconds. */
export const START = Date.UTC(2026, 0, 1);

/** A clock that tests put forward. */
export interface TestClock {
  ms: number;
}

/** A new ledger; its clock stands at START. */
export async function freshLedger(url: string, clock: TestClock = { ms: START }): Promise<Ledger> {
  let requests = 0;
  const { ledger } = await initLedger(url, {
    now: () => clock.ms,
    newRequest: () => `request-${++requests}`,
  });
  return ledger;
}

/** Closes a ledger in which its own audit finds nothing wrong. */
export async function closeSound({ store }: Ledger): Promise<void> {
  expect(await store.read(audit)).to.deep.equal([]);
  await store.close();
}

/** `uuidOf(7)`: a UUID that ends in 7. */
export const uuidOf = (number: number): string =>
  `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

type Stock = Readonly<Record<string, Partial<Inventory>>>;

/** Makes a provider with inventories. @returns its UUID. */
export async function addProvider(
  ledger: Ledger,
  number: number,
  stock: Stock,
  more: { readonly name?: string; readonly parent?: string | null; readonly canHost?: boolean } = {},
): Promise<string> {
  const uuid = uuidOf(number);
  const { name = `p${number}`, parent = null, canHost = true } = more;
  const made = await change(ledger, AUTHOR, (session, context) =>
    createProvider(session, context, { uuid, name, parent, canHost }),
  );
  expect(made.kind).to.equal('done');
  if (Object.keys(stock).length > 0) await stockProvider(ledger, uuid, stock);
  return uuid;
}

/** Sets inventories of a provider; what is not stated has its default. */
export async function stockProvider(ledger: Ledger, uuid: string, stock: Stock) {
  const inventories = new Map(
    Object.entries(stock).map(([name, stated]) => [name, { ...INVENTORY_DEFAULTS, total: 1, ...stated }]),
  );
  const outcome = await change(ledger, AUTHOR, (session, context) =>
    setInventories(session, context, { provider: uuid }, inventories, 'kept'),
  );
  expect(outcome.kind).to.equal('done');
  return outcome;
}

export type Amounts = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** `{ uuid: { VCPU: 2 } }` as a claim. */
export const allOf = (amounts: Amounts): ConsumerClaim['allocations'] =>
  Object.entries(amounts).flatMap(([provider, classes]) =>
    Object.entries(classes).map(([name, amount]) => ({ provider, class: name, amount })),
  );

/** Claims for one consumer. */
export const claimFor = (
  ledger: Ledger,
  consumer: string,
  amounts: Amounts,
  more: Partial<ConsumerClaim> & Partial<Pick<ClaimRequest, 'stepMode'>> = {},
): Promise<ClaimOutcome> => {
  const { stepMode = 'exempt', ...stated } = more;
  const request = {
    consumers: [{ consumer, allocations: allOf(amounts), ...stated }],
    stepMode,
    action: 'claim',
  };
  return claim(ledger, AUTHOR, request);
};

/** How many rows a look takes out of the database. */
export async function rowsTaken(
  { store }: Ledger,
  look: (session: Session) => Promise<unknown>,
): Promise<number> {
  let rows = 0;
  await store.read((session) => {
    const all = async <Row extends object>(text: string, values?: readonly SqlValue[]) => {
      const found = await session.all<Row>(text, values);
      rows += found.length;
      return found;
    };
    return look({ ...session, dialect: session.dialect, all });
  });
  return rows;
}
