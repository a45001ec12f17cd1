/** `hbind pod show`. */
import { reportTable } from '../../../../kit/report/report-table.ts';
import { isEmpty } from '../../../binding/model/affinity.ts';
import { shareOf } from '../../../binding/model/limits.ts';
import { currentIn, tenantCounts } from '../../../binding/tables/bindings.ts';
import { changesOf } from '../../../binding/tables/changes.ts';
import { podByName } from '../../../binding/tables/pods.ts';
import { timeText } from '../../shared/access/time-text.ts';
import { bindingJson, podJson } from '../../shared/binding/json.ts';
import { type Command, say, sayRefused, withBook } from '../kit/context.ts';
import { affinityWords, limitWords, percent, requestWords, stateWord } from '../text/words.ts';

const METRICS = ['Metric', 'Used', 'Total', 'Share'].map((heading) => ({
  heading,
  isNumeric: heading !== 'Metric',
}));
const TENANTS = ['Tenant', 'Asks', 'Since', 'Because'].map((heading) => ({ heading, isNumeric: false }));
const CHANGES = ['When', 'Who', 'What'].map((heading) => ({ heading, isNumeric: false }));

export const show: Command = (options, [name = '']) =>
  withBook('pod show', options, async (book) => {
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
    if (!found) return sayRefused('pod show', options, [{ kind: 'unknown-pod', pod: name }]);
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
    return say('pod show', options, {
      text,
      facts: {
        pod: podJson(pod, count),
        bindings: tenants.map((binding) => bindingJson(binding, pod.name)),
        changes: changes.map((change) => ({ ...change, at: new Date(change.at).toISOString() })),
      },
    });
  });
