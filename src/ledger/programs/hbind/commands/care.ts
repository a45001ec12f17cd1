/** Looking after the book: `hbind init`, `policy` and `audit`. */
import { EXIT } from '../../../../kit/exit-status.ts';
import { byKind } from '../../../../kit/kinds.ts';
import { auditBindings, type Finding } from '../../../binding/audit/audit.ts';
import { initBook } from '../../../binding/book/book.ts';
import { setPolicy } from '../../../binding/book/pods.ts';
import type { Policy } from '../../../binding/model/pod.ts';
import { readRegistry } from '../../../binding/tables/registry.ts';
import { ledgerUrl } from '../../shared/access/ledger-url.ts';
import { initialisedText, reported } from '../../shared/document/ending.ts';
import { actorOf, type Command, type Said, withBook } from '../kit/context.ts';
import { readPolicy } from '../kit/read-words.ts';

export const init: Command<'init'> = async (options) => {
  const { book, report } = await initBook(ledgerUrl(options), Date.now);
  const { name } = book.store;
  await book.store.close();
  const text = initialisedText(name, report, 'ready for pods');
  return { kind: 'done', text, isNothing: report.from === report.to, facts: { database: name, ...report } };
};

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

const findingText = byKind<Finding, string>({
  overlap: ({ tenant, bindings }) => `${tenant}: bindings ${bindings.join(' and ')} hold at the same time`,
  gap: ({ tenant, bindings }) =>
    `${tenant}: binding ${bindings[0]} ended for another, which does not begin then`,
  backwards: ({ tenant, binding }) => `${tenant}: binding ${binding} ends before it begins`,
  'no-pod': ({ tenant, binding, pod }) =>
    `${tenant}: binding ${binding} is to pod ${pod}, which is not there`,
  'from-the-future': ({ tenant, binding }) =>
    `${tenant}: binding ${binding} was chosen from pods that are still to come`,
  mark: ({ pod, isMarked }) =>
    `${pod}: is ${isMarked ? '' : 'not '}marked as exhausted, and its use says otherwise`,
  keys: ({ right, found }) =>
    `the pods use the keys ${right.join(', ') || 'none'}, and ${found.join(', ') || 'none'} are noted`,
});

export const audit: Command<'audit'> = (options) =>
  withBook(options, async (book) => {
    const findings = await book.store.read(auditBindings);
    return {
      kind: 'done',
      text: findings.map((finding) => `${findingText(finding)}\n`).join('') || 'The bindings are clean.\n',
      isNothing: findings.length === 0,
      facts: { findings },
      status: findings.length > 0 ? EXIT.no : 0,
    };
  });
