/** `hbind history`. */

import { timeText } from '../../../../kit/report/moments.ts';
import { reportTable } from '../../../../kit/report/report-table.ts';
import { texts } from '../../../../kit/report/text-table.ts';
import { pastOf } from '../../../binding/tables/bindings.ts';
import { podNames } from '../../../binding/tables/pods.ts';
import { bindingJson } from '../../shared/binding/json.ts';
import { type Command, withBook } from '../kit/context.ts';
import { requestWords } from '../text/words.ts';

const COLUMNS = texts('Pod', 'From', 'Until', 'Began', 'Ended', 'For');

export const history: Command<'history'> = (options, [tenant = '']) =>
  withBook(options, async (book) => {
    const { rows, names } = await book.store.read(async (session) => {
      const past = [...(await pastOf(session, tenant, options.rowLimit))].reverse();
      return { rows: past, names: await podNames(session, past) };
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
    return {
      kind: 'done',
      text: rows.length === 0 ? `${tenant} was never bound to a pod.\n` : text,
      facts: { tenant, bindings: rows.map((binding) => bindingJson(binding, names.get(binding.podId)!)) },
    };
  });
