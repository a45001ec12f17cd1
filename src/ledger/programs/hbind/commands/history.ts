/** `hbind history`. */
import { reportTable } from '../../../../kit/report/report-table.ts';
import { pastOf } from '../../../binding/tables/bindings.ts';
import { podsById } from '../../../binding/tables/pods.ts';
import { timeText } from '../../shared/access/time-text.ts';
import { bindingJson } from '../../shared/binding/json.ts';
import { type Command, say, withBook } from '../kit/context.ts';
import { requestWords } from '../text/words.ts';

const COLUMNS = ['Pod', 'From', 'Until', 'Began', 'Ended', 'For'].map((heading) => ({
  heading,
  isNumeric: false,
}));

export const history: Command = (options, [tenant = '']) =>
  withBook('history', options, async (book) => {
    const { rows, names } = await book.store.read(async (session) => {
      const past = [...(await pastOf(session, tenant, options.rowLimit))].reverse();
      const pods = await podsById(session, [...new Set(past.map(({ podId }) => podId))]);
      return { rows: past, names: new Map(pods.map(({ id, name }) => [id, name])) };
    });
    const text = reportTable(
      '',
      COLUMNS,
      rows.map(({ podId, startAt, endAt, reason, endReason, az, affinity }) => [
        names.get(podId)!,
        timeText(startAt),
        endAt === null ? 'now' : timeText(endAt),
        reason,
        endReason ?? '-',
        requestWords(az, affinity) || '-',
      ]),
    );
    return say('history', options, {
      text: rows.length === 0 ? `${tenant} was never bound to a pod.\n` : text,
      facts: { tenant, bindings: rows.map((binding) => bindingJson(binding, names.get(binding.podId)!)) },
    });
  });
