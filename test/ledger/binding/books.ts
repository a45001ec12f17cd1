/** Books of pods for tests, and short ways to ask them. */
import { expect } from 'chai';
import { type Book, initBook, type Outcome } from '../../../src/ledger/binding/book/book.ts';
import { addPod, type NewPod } from '../../../src/ledger/binding/book/pods.ts';
import { type Selected, type SelectOptions, select } from '../../../src/ledger/binding/book/select.ts';
import { refreshUsage } from '../../../src/ledger/binding/book/usage.ts';
import type { Affinity } from '../../../src/ledger/binding/model/pod.ts';
import type { Usage } from '../../../src/ledger/binding/model/usage.ts';
import { pastOf } from '../../../src/ledger/binding/tables/bindings.ts';
import { allPods } from '../../../src/ledger/binding/tables/pods.ts';

export const ACTOR = 'tester';

/** 2026-01-01, in milliseconds. */
export const START = Date.UTC(2026, 0, 1);

export interface TestBook extends Book {
  /** A clock that tests put forward. */
  readonly clock: { ms: number };
}

export async function freshBook(url: string): Promise<TestBook> {
  const clock = { ms: START };
  const { book } = await initBook(url, () => clock.ms);
  return { ...book, clock };
}

/** The value of an outcome that must be one. */
export function settled<Value>(outcome: Outcome<Value>): Value {
  if (outcome.kind !== 'done') expect.fail(JSON.stringify(outcome));
  return outcome.value;
}

/** Makes pods, each a millisecond after the one before. */
export async function addPods(book: TestBook, pods: readonly NewPod[]): Promise<void> {
  for (const pod of pods) {
    book.clock.ms++;
    settled(await addPod(book, ACTOR, pod));
  }
}

export const memory = (used: number): Usage => ({ memory: { total: 1000, used } });

export const use = async (book: Book, readings: Readonly<Record<string, Usage | null>>) =>
  settled(
    await refreshUsage(
      book,
      ACTOR,
      Object.entries(readings).map(([pod, usage]) => ({ pod, usage })),
    ),
  );

export interface Ask extends Partial<Pick<SelectOptions, 'policy' | 'lastsMs' | 'isDry'>> {
  readonly az?: string;
  readonly specs?: Affinity;
  readonly need?: Readonly<Record<string, number>>;
}

export const ask = (book: Book, tenant: string, { az = '', specs = {}, need = {}, ...more }: Ask = {}) =>
  select(book, { tenant, az, specs, need }, { actor: ACTOR, ...more });

/** `P1 kept`, `P2 bound`, or `none`. */
export const said = (selected: Selected): string =>
  selected.kind === 'none' ? 'none' : `${selected.pod.name} ${selected.kind}`;

/**
 * A tenant's rows, oldest first: `P1 initial-exhausted`, `P2 exhausted` while current, with the zone in
 * brackets where one was asked for.
 */
export async function rows(book: Book, tenant: string): Promise<readonly string[]> {
  return book.store.read(async (session) => {
    const names = new Map((await allPods(session)).map(({ id, name }) => [id, name]));
    return [...(await pastOf(session, tenant, 1000))]
      .reverse()
      .map(
        ({ podId, az, reason, endReason }) =>
          `${names.get(podId)}${az === '' ? '' : `[${az}]`} ${reason}${endReason === null ? '' : `-${endReason}`}`,
      );
  });
}
