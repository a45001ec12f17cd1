/** `hbind pod list` and `hbind pod show`. */
import { momentOf, timeText } from '../../../../kit/report/moments.ts';
import { reportTable } from '../../../../kit/report/report-table.ts';
import { numbers, texts } from '../../../../kit/report/text-table.ts';
import { candidates } from '../../../binding/choice/choose.ts';
import { shareOf, type Verdict } from '../../../binding/model/limits.ts';
import { affinityOf, isEmpty } from '../../../binding/model/pod.ts';
import { currentIn } from '../../../binding/tables/bindings.ts';
import { changesOf } from '../../../binding/tables/changes.ts';
import { podByName } from '../../../binding/tables/pods.ts';
import { readRegistry } from '../../../binding/tables/registry.ts';
import { bindingJson, podsJson } from '../../shared/binding/json.ts';
import { type Command, withBook } from '../kit/context.ts';
import { readAsk } from '../kit/read-words.ts';
import { affinityWords, fillWords, limitWords, percent, requestWords, stateWord } from '../text/words.ts';

const COLUMNS = [...texts('Pod', 'Zone', 'For', 'State'), ...numbers('Tenants'), ...texts('Fullest')];

export const list: Command<'pod list'> = (options) => {
  const { az, specs, need } = readAsk(options);
  const isAsked = options.zone !== undefined || options.extraSpecs.length + options.need.length > 0;
  return withBook(options, async (book) => {
    const pods = await book.store.read(async (session) => {
      const registry = await readRegistry(session);
      const all = await book.cache.all(session, registry);
      const question = { az, affinity: affinityOf(specs, registry.keys), need };
      const chosen = isAsked ? candidates(all, registry.policy, question, null).map(({ pod }) => pod) : all;
      return podsJson(session, chosen);
    });
    const rows = pods.map((pod) => [
      pod.name,
      pod.az || '-',
      affinityWords(pod.affinity),
      stateWord(pod),
      String(pod.tenants),
      fillWords(pod),
    ]);
    const none = isAsked ? 'No pod takes such a request.\n' : 'There are no pods.\n';
    return {
      kind: 'done',
      text: rows.length === 0 ? none : reportTable('', COLUMNS, rows),
      isNothing: rows.length === 0,
      facts: { pods },
    };
  });
};

const METRICS = [...texts('Metric'), ...numbers('Used', 'Total', 'Share')];
const TENANTS = texts('Tenant', 'Asks', 'Since', 'Because');
const CHANGES = texts('When', 'Who', 'What');

const verdictWords = ({ by, size, fits, why }: Verdict): string =>
  `${by} decides: one more instance of ${size} ${fits ? 'fits' : 'does not fit'}${why === undefined ? '' : ` (${why})`}\n`;

export const show: Command<'pod show'> = (options, [name = '']) =>
  withBook(options, async (book) => {
    const found = await book.store.read(async (session) => {
      const pod = await podByName(session, name);
      if (!pod) return undefined;
      return {
        pod,
        facts: (await podsJson(session, [pod]))[0]!,
        tenants: await currentIn(session, pod.id, 0, options.rowLimit),
        changes: await changesOf(session, pod.id, options.rowLimit),
      };
    });
    if (!found) return { kind: 'refused', refusals: [{ kind: 'unknown-pod', pod: name }] };
    const { pod, facts, tenants, changes } = found;
    const purpose = isEmpty(pod.affinity) ? 'general use' : affinityWords(pod.affinity);
    const count = facts.tenants!;
    const more = count > tenants.length ? ` (the first ${tenants.length} of ${count})` : '';
    const place = pod.az === '' ? 'in no zone' : `in zone ${pod.az}`;
    const usage = pod.metrics.map((one) => [one.name, one.used, one.total, percent(shareOf(one))]);
    const bound = tenants.map(({ tenant, az, affinity, startAt, reason }) => {
      return [tenant, requestWords(az, affinity) || '-', timeText(startAt), reason];
    });
    const record = changes.map(({ at, actor, action }) => [timeText(at), actor, action]);
    const text = [
      `${pod.name}: ${stateWord(pod)}, ${place}, for ${purpose}; ${limitWords(pod.limits)}\n`,
      pod.verdict === null ? '' : verdictWords(pod.verdict),
      usage.length === 0 ? 'Nothing is measured yet.\n' : reportTable('', METRICS, usage),
      bound.length === 0
        ? 'No tenant is bound to it.\n'
        : `Tenants${more}:\n${reportTable('', TENANTS, bound)}`,
      `Changes, newest first:\n${reportTable('', CHANGES, record)}`,
    ].join('');
    return {
      kind: 'done',
      text,
      facts: {
        pod: facts,
        bindings: tenants.map((binding) => bindingJson(binding, pod.name)),
        changes: changes.map((change) => ({ ...change, at: momentOf(change.at) })),
      },
    };
  });
