/** `hbind policy`. */
import { setPolicy } from '../../../binding/book/pods.ts';
import type { Policy } from '../../../binding/model/policy.ts';
import { readRegistry } from '../../../binding/tables/registry.ts';
import { reported } from '../../shared/document/ending.ts';
import { actorOf, type Command, type Said, withBook } from '../kit/context.ts';
import { readPolicy } from '../kit/read-words.ts';

const report = (policy: Policy): Said<'policy'> => {
  const counting = Object.entries(policy.weighers).filter(([, multiplier]) => multiplier !== 0);
  const weighers = counting.map(([name, multiplier]) => `${name}=${multiplier}`).join(', ');
  return {
    text: `Filters:  ${policy.filters.join(', ') || 'none'}\nWeighers: ${weighers || 'none, the oldest pod wins'}\n`,
    facts: { policy },
  };
};

export const policy: Command<'policy'> = (options) => {
  const changes = readPolicy(options);
  return withBook(options, async (book) => {
    if (Object.keys(changes).length > 0)
      return reported(await setPolicy(book, actorOf(options), changes), report);
    const { policy: present } = await book.store.read(readRegistry);
    return { kind: 'done', ...report(present) };
  });
};
