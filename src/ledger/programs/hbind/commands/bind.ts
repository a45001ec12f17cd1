/** `hbind bind`, `hbind unbind` and `hbind expire`. */
import { bind, expire, unbind } from '../../../binding/book/bind.ts';
import type { Book } from '../../../binding/book/book.ts';
import type { Binding } from '../../../binding/model/pod.ts';
import { podNames } from '../../../binding/tables/pods.ts';
import { readDuration } from '../../shared/access/read.ts';
import { bindingJson } from '../../shared/binding/json.ts';
import { reported } from '../../shared/document/ending.ts';
import { actorOf, type Command, withBook } from '../kit/context.ts';
import { readAsk, readName } from '../kit/read-words.ts';
import { requestWords, stateWord } from '../text/words.ts';

export const bindTenant: Command<'bind'> = (options, [tenant = '', pod = '']) => {
  readName('TENANT', tenant);
  const { az, specs } = readAsk(options);
  const lastsMs = options.bindFor === undefined ? undefined : readDuration('for', options.bindFor);
  const wish = { tenant, pod, az, specs: options.extraSpecs.length > 0 ? specs : undefined, lastsMs };
  return withBook(options, async (book) =>
    reported(await bind(book, actorOf(options), wish), (bound) => {
      const word = stateWord(bound.pod);
      const note = `Note: ${bound.pod.name} is ${word}: the tenant's next request moves it on\n`;
      return {
        text: `${bound.pod.name} ${bound.isKept ? 'kept' : 'new'} ${bound.binding.id}\n`,
        facts: { binding: bindingJson(bound.binding, bound.pod.name), isKept: bound.isKept },
        notes: word === 'open' ? undefined : note,
      };
    }),
  );
};

async function ended(book: Book, bindings: readonly Binding[], none: string) {
  const names = await book.store.read((session) => podNames(session, bindings));
  const lines = bindings.map(({ tenant, az, affinity, podId }) => {
    const ask = requestWords(az, affinity);
    return `${tenant}${ask === '' ? '' : ` (${ask})`} is not bound to ${names.get(podId)} any more.\n`;
  });
  return {
    kind: 'done',
    text: lines.join('') || none,
    facts: { ended: bindings.map((binding) => bindingJson(binding, names.get(binding.podId)!)) },
  } as const;
}

export const unbindTenant: Command<'unbind'> = (options, [tenant = '']) => {
  const { az, specs } = readAsk(options);
  const only = {
    az: options.zone === undefined ? undefined : az,
    specs: options.extraSpecs.length > 0 ? specs : undefined,
  };
  return withBook(options, async (book) =>
    ended(book, await unbind(book, tenant, only), 'There is no such binding.\n'),
  );
};

export const expireBindings: Command<'expire'> = (options) =>
  withBook(options, async (book) => ended(book, await expire(book), 'No binding is over its time.\n'));
