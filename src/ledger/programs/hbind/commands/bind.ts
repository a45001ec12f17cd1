/** `hbind bind`, `hbind unbind` and `hbind expire`. */
import { bind, expire, unbind } from '../../../binding/book/bind.ts';
import type { Book } from '../../../binding/book/book.ts';
import type { Binding } from '../../../binding/model/pod.ts';
import { podsById } from '../../../binding/tables/pods.ts';
import { readDuration } from '../../shared/access/duration.ts';
import { bindingJson } from '../../shared/binding/json.ts';
import { actorOf, type Command, type Report, say, sayOutcome, withBook } from '../kit/context.ts';
import { readAsk, readName } from '../kit/read-words.ts';
import { requestWords, stateWord } from '../text/words.ts';

export const bindTenant: Command = (options, [tenant = '', pod = '']) => {
  readName('TENANT', tenant);
  const { az, specs } = readAsk(options);
  const lastsMs = options.bindFor === undefined ? undefined : readDuration('for', options.bindFor);
  const wish = { tenant, pod, az, specs: options.extraSpecs.length > 0 ? specs : undefined, lastsMs };
  return withBook('bind', options, async (book) =>
    sayOutcome('bind', options, await bind(book, actorOf(options), wish), (bound): Report => {
      const word = stateWord(bound.pod);
      const note = `Note: ${bound.pod.name} is ${word}: the tenant's next request moves it on\n`;
      return {
        text: `${bound.pod.name} ${bound.isKept ? 'kept' : 'new'} ${bound.binding.id}\n`,
        facts: { binding: bindingJson(bound.binding, bound.pod.name), isKept: bound.isKept },
        ...(word === 'open' ? {} : { notes: note }),
      };
    }),
  );
};

async function report(book: Book, ended: readonly Binding[], none: string): Promise<Report> {
  const pods = await book.store.read((session) =>
    podsById(
      session,
      ended.map(({ podId }) => podId),
    ),
  );
  const names = new Map(pods.map(({ id, name }) => [id, name]));
  const lines = ended.map(({ tenant, az, affinity, podId }) => {
    const ask = requestWords(az, affinity);
    return `${tenant}${ask === '' ? '' : ` (${ask})`} is not bound to ${names.get(podId)} any more.\n`;
  });
  return {
    text: lines.join('') || none,
    facts: { ended: ended.map((binding) => bindingJson(binding, names.get(binding.podId)!)) },
  };
}

export const unbindTenant: Command = (options, [tenant = '']) => {
  const { az, specs } = readAsk(options);
  const only = {
    az: options.zone === undefined ? undefined : az,
    specs: options.extraSpecs.length > 0 ? specs : undefined,
  };
  return withBook('unbind', options, async (book) =>
    say(
      'unbind',
      options,
      await report(book, await unbind(book, tenant, only), 'There is no such binding.\n'),
    ),
  );
};

export const expireBindings: Command = (options) =>
  withBook('expire', options, async (book) =>
    say('expire', options, await report(book, await expire(book), 'No binding is over its time.\n')),
  );
