/** `hbind pod list`. */
import { reportTable } from '../../../../kit/report/report-table.ts';
import { numbers, texts } from '../../../../kit/report/text-table.ts';
import { candidates } from '../../../binding/choice/choose.ts';
import { affinityOf } from '../../../binding/model/affinity.ts';
import { tenantCounts } from '../../../binding/tables/bindings.ts';
import { readRegistry } from '../../../binding/tables/registry.ts';
import { podJson } from '../../shared/binding/json.ts';
import { type Command, withBook } from '../kit/context.ts';
import { readAsk } from '../kit/read-words.ts';
import { affinityWords, fillWords, stateWord } from '../text/words.ts';

const COLUMNS = [...texts('Pod', 'Zone', 'For', 'State'), ...numbers('Tenants'), ...texts('Fullest')];

export const list: Command<'pod list'> = (options) => {
  const { az, specs, need } = readAsk(options);
  const isAsked = options.zone !== undefined || options.extraSpecs.length + options.need.length > 0;
  return withBook(options, async (book) => {
    const { pods, counts } = await book.store.read(async (session) => {
      const registry = await readRegistry(session);
      const all = await book.cache.all(session, registry);
      const question = { az, affinity: affinityOf(specs, registry.keys), need };
      const chosen = isAsked ? candidates(all, registry.policy, question, null).map(({ pod }) => pod) : all;
      return {
        pods: chosen,
        counts: await tenantCounts(
          session,
          chosen.map(({ id }) => id),
        ),
      };
    });
    const rows = pods.map((pod) => [
      pod.name,
      pod.az || '-',
      affinityWords(pod.affinity),
      stateWord(pod),
      String(counts.get(pod.id) ?? 0),
      fillWords(pod),
    ]);
    const none = isAsked ? 'No pod takes such a request.\n' : 'There are no pods.\n';
    return {
      kind: 'done',
      text: rows.length === 0 ? none : reportTable('', COLUMNS, rows),
      facts: { pods: pods.map((pod) => podJson(pod, counts.get(pod.id) ?? 0)) },
    };
  });
};
