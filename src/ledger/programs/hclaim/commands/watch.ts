/** `hclaim watch`: changes as they happen, whatever becomes of the database meanwhile. */
import { setTimeout as wait } from 'node:timers/promises';
import { BackendError } from '../../../../kit/faults.ts';
import { printErr, printOut } from '../../../../kit/report/output.ts';
import { warning } from '../../../../kit/report/tone.ts';
import { MS_PER_S } from '../../../../kit/units.ts';
import { lastChange, readHistory } from '../../../claims/usage/history.ts';
import { readDuration } from '../../shared/access/ledger-url.ts';
import { sweep } from '../../shared/access/open-current-ledger.ts';
import { type Command, withLedger } from '../kit/context.ts';
import { changeText, filterOf } from './history.ts';

/** Longest wait for a database that does not answer. */
const LONGEST_MS = 30_000;

/**
 * Writers that run at the same time get their numbers in another order than they finish in (PostgreSQL): a
 * look goes back over so many numbers, and what was said is not said again.
 */
const LOOK_BACK = 1000;
/** Changes of one look; more than it goes back over. */
const MOST_AT_ONCE = 10 * LOOK_BACK;

export const watch: Command<'watch'> = (options) =>
  withLedger(options, async (ledger) => {
    const end =
      options.watchFor === undefined ? Infinity : ledger.now() + readDuration('for', options.watchFor);
    const filter = await filterOf(ledger, { ...options, since: undefined });
    /** Of what is up to this number nothing is said. */
    const floor = options.after ?? 0;
    let last = options.after ?? (await ledger.store.read(lastChange));
    const look = () =>
      ledger.store.read((session) =>
        readHistory(session, { ...filter, after: Math.max(last - LOOK_BACK, floor) }, MOST_AT_ONCE, 'oldest'),
      );
    let said = new Set(options.after === undefined ? (await look()).map(({ id }) => id) : []);
    const pause = (ms: number) => wait(Math.min(ms, Math.max(1, end - ledger.now())));
    /** Whether there is more to read at once. */
    let isBehind = options.after !== undefined;
    let failures = 0;
    for (;;) {
      const intervalMs = options.interval * MS_PER_S;
      if (!isBehind) await pause(Math.min(intervalMs * 2 ** failures, Math.max(intervalMs, LONGEST_MS)));
      try {
        // Who may only read has been told so at the beginning.
        await sweep(ledger);
        const recent = await look();
        if (failures > 0) printErr(warning('the database answers again'));
        failures = 0;
        for (const change of recent) {
          if (said.has(change.id)) continue;
          const text = options.json ? `${JSON.stringify(change)}\n` : `${change.id} ${changeText(change)}`;
          // There is nobody to watch for.
          if (!printOut(text)) return undefined;
        }
        said = new Set(recent.map(({ id }) => id));
        last = Math.max(last, recent.at(-1)?.id ?? 0);
        isBehind = recent.length === MOST_AT_ONCE;
        if (!isBehind && ledger.now() >= end) return undefined;
      } catch (error) {
        if (!(error instanceof BackendError) || ledger.now() >= end) throw error;
        isBehind = false;
        if (failures++ === 0) printErr(warning(`${error.message}; trying again`));
      }
    }
  });
