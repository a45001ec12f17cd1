/** `hbind pod show`. */

import { momentOf, timeText } from '../../../../kit/report/moments.ts';
import { reportTable } from '../../../../kit/report/report-table.ts';
import { numbers, texts } from '../../../../kit/report/text-table.ts';
import { isEmpty } from '../../../binding/model/affinity.ts';
import { shareOf } from '../../../binding/model/limits.ts';
import { currentIn, tenantCounts } from '../../../binding/tables/bindings.ts';
import { changesOf } from '../../../binding/tables/changes.ts';
import { podByName } from '../../../binding/tables/pods.ts';
import { bindingJson, podJson } from '../../shared/binding/json.ts';
import { type Command, withBook } from '../kit/context.ts';
import { affinityWords, limitWords, percent, requestWords, stateWord } from '../text/words.ts';

const METRICS = [...texts('Metric'), ...numbers('Used', 'Total', 'Share')];
const TENANTS = texts('Tenant', 'Asks', 'Since', 'Because');
const CHANGES = texts('When', 'Who', 'What');

export const show: Command<'pod show'> = (options, [name = '']) =>
  withBook(options, async (book) => {
    const found = await book.store.read(async (session) => {
      const pod = await podByName(session, name);
      if (!pod) return undefined;
      return {
        pod,
        tenants: await currentIn(session, pod.id, 0, options.rowLimit),
        count: (await tenantCounts(session, [pod.id])).get(pod.id) ?? 0,
        changes: await changesOf(session, pod.id, options.rowLimit),
      };
    });
    if (!found) return { kind: 'refused', refusals: [{ kind: 'unknown-pod', pod: name }] };
    const { pod, tenants, count, changes } = found;
    const purpose = isEmpty(pod.affinity) ? 'general use' : affinityWords(pod.affinity);
    const more = count > tenants.length ? ` (the first ${tenants.length} of ${count})` : '';
    const text = [
      `${pod.name}: ${stateWord(pod)}, ${pod.az === '' ? 'in no zone' : `in zone ${pod.az}`}, for ${purpose}; ${limitWords(pod.limits)}\n`,
      ...(pod.verdict
        ? [
            `${pod.verdict.by} decides: one more instance of ${pod.verdict.size} ${pod.verdict.fits ? 'fits' : 'does not fit'}${pod.verdict.why === undefined ? '' : ` (${pod.verdict.why})`}\n`,
          ]
        : []),
      pod.metrics.length === 0
        ? 'Nothing is measured yet.\n'
        : reportTable(
            '',
            METRICS,
            pod.metrics.map((metric) => [
              metric.name,
              String(metric.used),
              String(metric.total),
              percent(shareOf(metric)),
            ]),
          ),
      tenants.length === 0
        ? 'No tenant is bound to it.\n'
        : `Tenants${more}:\n${reportTable(
            '',
            TENANTS,
            tenants.map(({ tenant, az, affinity, startAt, reason }) => [
              tenant,
              requestWords(az, affinity) || '-',
              timeText(startAt),
              reason,
            ]),
          )}`,
      `Changes, newest first:\n${reportTable(
        '',
        CHANGES,
        changes.map(({ at, actor, action }) => [timeText(at), actor, action]),
      )}`,
    ].join('');
    return {
      kind: 'done',
      text,
      facts: {
        pod: podJson(pod, count),
        bindings: tenants.map((binding) => bindingJson(binding, pod.name)),
        changes: changes.map((change) => ({ ...change, at: momentOf(change.at) })),
      },
    };
  });
