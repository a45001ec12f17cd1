/** `hbind pod add`, `set`, `rm` and `maintenance`. */

import { allSaid } from '../../../../kit/cli/all-said.ts';
import { EXIT } from '../../../../kit/exit-status.ts';
import { endMaintenance, type Maintained, startMaintenance } from '../../../binding/book/maintenance.ts';
import { addPod, limitsOver, type PodChanges, removePod, setPod } from '../../../binding/book/pods.ts';
import { type Limits, USUAL_LIMITS } from '../../../binding/model/limits.ts';
import type { Pod } from '../../../binding/model/pod.ts';
import { badArgument } from '../../shared/access/ledger-url.ts';
import { podJson } from '../../shared/binding/json.ts';
import { reported } from '../../shared/document/ending.ts';
import { actorOf, type Command, type Options, type Said, withBook } from '../kit/context.ts';
import { readAffinity, readFigure, readLimits, readName, readReopen, readZone } from '../kit/read-words.ts';
import { reboundWords } from '../text/words.ts';

function readPod(options: Options) {
  const [affinity, weight, cost, metrics, reopen, az, actor] = allSaid(
    () => readAffinity(options),
    () => readFigure('weight', options.podWeight),
    () => readFigure('cost', options.podCost),
    () => readLimits(options),
    () => readReopen(options),
    () => readZone(options),
    () => actorOf(options),
  );
  const said = { az, affinity, weight, cost, state: options.podState };
  const fields = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
  /** @param before the limits that it has */
  const changes = (before: Limits): PodChanges => {
    if (Object.keys(metrics).length === 0 && reopen === undefined) return fields;
    return { ...fields, limits: limitsOver(before, { metrics, reopen }) };
  };
  return { actor, changes };
}

const report = (what: string) => (pod: Pod) => ({
  text: `${what} ${pod.name}.\n`,
  facts: { pod: podJson(pod) },
});

export const add: Command<'pod add'> = (options, [name = '']) => {
  const [{ actor, changes }] = allSaid(
    () => readPod(options),
    () => readName('NAME', name),
  );
  return withBook(options, async (book) => {
    const outcome = await addPod(book, actor, { ...changes(USUAL_LIMITS), name });
    return reported(outcome, report('Added'));
  });
};

export const set: Command<'pod set'> = (options, [name = '']) => {
  const { actor, changes } = readPod(options);
  if (Object.keys(changes(USUAL_LIMITS)).length === 0)
    throw badArgument('hbind pod set: nothing is to be set', 'see: hbind pod set --help');
  return withBook(options, async (book) => {
    const outcome = await setPod(book, actor, name, ({ limits }) => changes(limits));
    return reported(outcome, report('Changed'));
  });
};

export const remove: Command<'pod rm'> = (options, [name = '']) =>
  withBook(options, async (book) =>
    reported(await removePod(book, actorOf(options), name), report('Removed')),
  );

const maintained =
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
      ? reported(
          await endMaintenance(book, actorOf(options), name, giveBack),
          maintained('takes requests again'),
        )
      : reported(
          await startMaintenance(book, actorOf(options), name, rebindNow),
          maintained('is under maintenance'),
        ),
  );
};
