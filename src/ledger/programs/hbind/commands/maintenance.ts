/** `hbind pod maintenance`. */
import { EXIT } from '../../../../kit/exit-status.ts';
import { endMaintenance, type Maintained, startMaintenance } from '../../../binding/book/maintenance.ts';
import { badArgument } from '../../shared/access/read.ts';
import { podJson } from '../../shared/binding/json.ts';
import { reported } from '../../shared/document/ending.ts';
import { actorOf, type Command, type Said, withBook } from '../kit/context.ts';
import { reboundWords } from '../text/words.ts';

const report =
  (what: string) =>
  ({ pod, rebound }: Maintained): Said<'pod maintenance'> => ({
    text: `${pod.name} ${what}.\n${rebound.map((one) => `${reboundWords(one)}\n`).join('')}`,
    facts: { pod: podJson(pod), rebound },
    // The maintenance has begun; somebody still sits there.
    status: rebound.some(({ to }) => to === null) ? EXIT.no : 0,
  });

export const maintenance: Command<'pod maintenance'> = (options, [name = '']) => {
  const { endMaintenance: ends, giveBack, rebindNow } = options;
  if (giveBack && !ends) throw badArgument('--return needs --end', 'say both, or neither');
  if (rebindNow && ends)
    throw badArgument('--rebind is for the beginning of maintenance', 'leave --rebind or --end out');
  return withBook(options, async (book) =>
    ends
      ? reported(await endMaintenance(book, actorOf(options), name, giveBack), report('takes requests again'))
      : reported(
          await startMaintenance(book, actorOf(options), name, rebindNow),
          report('is under maintenance'),
        ),
  );
};
