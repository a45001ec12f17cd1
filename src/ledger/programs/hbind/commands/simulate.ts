/** `hbind simulate`. */
import { simulateDay } from '../../../binding/simulate/simulate.ts';
import { currentOfTenants } from '../../../binding/tables/bindings.ts';
import { readRegistry } from '../../../binding/tables/registry.ts';
import { badArgument } from '../../shared/access/read.ts';
import { readEvents } from '../../shared/binding/read-events.ts';
import { type Command, withBook } from '../kit/context.ts';
import { readTextFile } from '../kit/read-json.ts';
import { readPolicy } from '../kit/read-words.ts';
import { dayText } from '../text/day-text.ts';

export const simulate: Command<'simulate'> = (options) => {
  const { inputFile: file } = options;
  if (file === undefined)
    throw badArgument('hbind simulate: the requests are missing', 'name their file: -f REQUESTS');
  const stated = readPolicy(options);
  const events = readEvents(readTextFile(file), file);
  const tenants = [...new Set(events.flatMap((event) => (event.kind === 'request' ? [event.tenant] : [])))];
  return withBook(options, async (book) => {
    const { registry, pods, bindings } = await book.store.read(async (session) => {
      const present = await readRegistry(session);
      return {
        registry: present,
        pods: await book.cache.all(session, present),
        bindings: await currentOfTenants(session, tenants),
      };
    });
    const policy = { ...registry.policy, ...stated };
    const day = simulateDay(pods, bindings, policy, registry.keys, events, book.now());
    const notes =
      day.unknownPods.length === 0
        ? undefined
        : `Note: events about pods that there are not: ${day.unknownPods.join(', ')}\n`;
    return { kind: 'done', text: dayText(day), notes, facts: { policy, ...day } };
  });
};
