/** `hbind pod maintenance`. */
import { EXIT } from '../../../../kit/exit-status.ts';
import { endMaintenance, type Maintained, startMaintenance } from '../../../binding/book/maintenance.ts';
import { podJson } from '../../shared/binding/json.ts';
import { actorOf, badArgument, type Command, type Report, sayOutcome, withBook } from '../kit/context.ts';
import { reboundWords } from '../text/words.ts';

const report =
  (what: string) =>
  ({ pod, rebound }: Maintained): Report => ({
    text: `${pod.name} ${what}.\n${rebound.map((one) => `${reboundWords(one)}\n`).join('')}`,
    facts: { pod: podJson(pod), rebound },
    // The maintenance has begun; somebody still sits there.
    status: rebound.some(({ to }) => to === null) ? EXIT.no : 0,
  });

export const maintenance: Command = (options, [name = '']) => {
  const { endMaintenance: ends, giveBack, rebindNow } = options;
  if (giveBack && !ends) throw badArgument('--return needs --end', 'say both, or neither');
  if (rebindNow && ends)
    throw badArgument('--rebind is for the beginning of maintenance', 'leave --rebind or --end out');
  return withBook('pod maintenance', options, async (book) =>
    ends
      ? sayOutcome(
          'pod maintenance',
          options,
          await endMaintenance(book, actorOf(options), name, giveBack),
          report('takes requests again'),
        )
      : sayOutcome(
          'pod maintenance',
          options,
          await startMaintenance(book, actorOf(options), name, rebindNow),
          report('is under maintenance'),
        ),
  );
};
