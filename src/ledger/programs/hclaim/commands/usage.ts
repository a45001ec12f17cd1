/** `hclaim usage`: what is used, now or over time. */

import { allSaid } from '../../../../kit/cli/all-said.ts';
import { timeText } from '../../../../kit/report/moments.ts';
import { printErr } from '../../../../kit/report/output.ts';
import { historyStart } from '../../../claims/usage/history.ts';
import { useOverTime } from '../../../claims/usage/over-time.ts';
import { type UsageBy, usage } from '../../../claims/usage/usage.ts';
import { readDuration, refuse } from '../../shared/access/ledger-url.ts';
import {
  type Command,
  type Ended,
  type Options,
  requireClass,
  requireProvider,
  withLedger,
} from '../kit/context.ts';
import { chart, usageTable } from '../text/words.ts';

const HEADINGS: Record<UsageBy, string | undefined> = {
  class: undefined,
  provider: 'Provider',
  project: 'Project',
  group: 'Group',
};

/** As many columns as fit beside the labels of an 80 column terminal. */
const POINTS = 60;

export const showUsage: Command<'usage'> = (options) => {
  const { over, by } = options;
  if (over === undefined) return now(options);
  const [span] = allSaid(
    () => readDuration('over', over),
    refuse(
      by !== 'class',
      `--over draws one chart a class, and nothing by ${by}`,
      'leave --by out; --provider and --project say of whom',
    ),
  );
  return overTime(options, span);
};

const now = (options: Options): Ended<'usage'> => {
  const { by, class: className, provider, project } = options;
  allSaid(
    ...Object.entries({ provider, project }).map(([what, name]) =>
      refuse(
        name !== undefined && by !== what,
        `--${what} needs --by ${what} or --over`,
        `say: hclaim usage --by ${what} --${what} ${name}`,
      ),
    ),
  );
  return withLedger(options, async (ledger) => {
    const rows = await ledger.store.read(async (session) => {
      await requireClass(session, className);
      const of = provider === undefined ? project : (await requireProvider(session, provider)).name;
      return (await usage(session, by)).filter(
        (row) => (className === undefined || row.class === className) && (of === undefined || row.of === of),
      );
    });
    return { kind: 'done', text: usageTable(HEADINGS[by], rows), facts: { by, usage: rows } };
  });
};

const overTime = (options: Options, span: number): Ended<'usage'> =>
  withLedger(options, async (ledger) => {
    const to = ledger.now();
    const { from, start, series } = await ledger.store.read(async (session) => {
      const { provider: name, project } = options;
      const provider = name === undefined ? undefined : (await requireProvider(session, name)).id;
      const start = await historyStart(session);
      const from = Math.max(to - span, start ?? 0);
      const series = await useOverTime(session, { provider, project }, { from, to, points: POINTS });
      // The history may know a class that is gone.
      if (!series.some((one) => one.class === options.class)) await requireClass(session, options.class);
      return { from, start, series };
    });
    if (from === start && options.verbosity > 0)
      printErr(`Note: older changes were removed from the history: drawn from ${timeText(from)}\n`);
    const shown = series.filter((one) => options.class === undefined || one.class === options.class);
    const text = shown.map((one) => chart(one, from, to)).join('\n') || 'Nothing was used.\n';
    const facts = { from: timeText(from), to: timeText(to), series: shown };
    return { kind: 'done', text, isNothing: shown.length === 0, facts };
  });
