/** `hclaim show`: providers and consumers. */
import { ExecutionError } from '../../../../kit/faults.ts';
import { momentOf, timeText } from '../../../../kit/report/moments.ts';
import { reportTable } from '../../../../kit/report/report-table.ts';
import { numbers, texts } from '../../../../kit/report/text-table.ts';
import type { End } from '../../../claims/model/ends.ts';
import {
  type ConsumerFacts,
  consumerFacts,
  type ProviderFacts,
  providerFacts,
} from '../../../claims/usage/show.ts';
import { usage } from '../../../claims/usage/usage.ts';
import type { Session } from '../../../store/store.ts';
import { type Command, type Ended, withLedger } from '../kit/context.ts';
import { usageTable } from '../text/words.ts';

export const show: Command<'show'> = (options, names) =>
  withLedger(options, (ledger) =>
    ledger.store.read((session) => (names.length === 0 ? showAll(session) : showNamed(session, names))),
  );

async function showAll(session: Session): Ended<'show'> {
  const rows = await usage(session, 'provider');
  return { kind: 'done', text: usageTable('Provider', rows), facts: { providers: rows } };
}

async function showNamed(session: Session, names: readonly string[]): Ended<'show'> {
  const facts: (ProviderFacts | ConsumerFacts)[] = [];
  const missing: string[] = [];
  for (const name of names) {
    // An instance may be called like a provider.
    const found = [await consumerFacts(session, name), await providerFacts(session, name)];
    if (found.every((one) => one === undefined)) missing.push(name);
    facts.push(...found.filter((one) => one !== undefined));
  }
  if (missing.length > 0)
    throw new ExecutionError(
      `there is no consumer or provider '${missing.join("', '")}'`,
      'look at: hclaim provider list',
    );
  const text = facts.map((one) => ('consumer' in one ? consumerText(one) : providerText(one))).join('\n');
  return { kind: 'done', text, facts: { found: facts.map(foundJson) } };
}

/** Moments as texts, as everywhere. */
function foundJson(one: ProviderFacts | ConsumerFacts) {
  if ('inventories' in one) return one;
  const allocations = one.allocations.map(({ ends: own, ...allocation }) => {
    const ends = own.map(({ at, amount }) => ({ amount, expiresAt: momentOf(at) }));
    return { ...allocation, ...(ends.length > 0 && { ends }) };
  });
  return { ...one, expiresAt: momentOf(one.expiresAt), allocations };
}

function consumerText(facts: ConsumerFacts): string {
  const { consumer, generation, project, user, type, expiresAt, allocations } = facts;
  const owner = [project && `project ${project}`, user && `user ${user}`, type].filter(Boolean).join(', ');
  // Where all of it goes back at once, one word at the top is enough.
  const isAllAtOnce = allocations.every(
    ({ used, ends: [end] }) => end?.at === expiresAt && end?.amount === used,
  );
  const until = isAllAtOnce && expiresAt !== null ? `, until ${timeText(expiresAt)} unless confirmed` : '';
  const hasEnds = expiresAt !== null && !isAllAtOnce;
  const rows = allocations.map((one) => [
    one.provider,
    one.class,
    one.used,
    ...(hasEnds ? [endsText(one.ends)] : []),
  ]);
  const columns = [...texts('Provider', 'Class'), ...numbers('Used')];
  const table = reportTable(' ', [...columns, ...(hasEnds ? texts('Goes back unless confirmed') : [])], rows);
  return `Consumer ${consumer}${owner ? ` (${owner})` : ''}, generation ${generation}${until}\n${table}`;
}

const endsText = (ends: readonly End[]): string =>
  ends.map(({ at, amount }) => `${amount} at ${timeText(at)}`).join(', ') || '-';

const STOCK = [
  ...texts('Class'),
  ...numbers('Used', 'Capacity', 'Total', 'Reserved', 'Ratio', 'Min', 'Max', 'Step'),
];
const USERS = texts('Consumer', 'Project', 'Uses');

function providerText(facts: ProviderFacts): string {
  const { name, parent, traits, aggregates, inventories, consumers } = facts;
  const lines = [
    `Provider ${name} (${facts.kind}, ${facts.provider}), generation ${facts.generation}`,
    ...(parent === null ? [] : [`  below ${parent}`]),
    ...(traits.length === 0 ? [] : [`  traits ${traits.join(', ')}`]),
    ...(aggregates.length === 0 ? [] : [`  in ${aggregates.map((one) => one.name ?? one.uuid).join(', ')}`]),
  ];
  const stock = inventories.map((one) => {
    const { used, capacity, total, reserved, allocationRatio, minUnit, maxUnit, stepSize } = one;
    return [one.class, used, capacity, total, reserved, allocationRatio, minUnit, maxUnit, stepSize];
  });
  const users = consumers.map(({ consumer, project, amounts }) => {
    const uses = Object.entries(amounts).map(([className, used]) => `${className}:${used}`);
    return [consumer, project ?? '-', uses.join(',')];
  });
  return [
    `${lines.join('\n')}\n`,
    stock.length === 0 ? '' : reportTable(' ', STOCK, stock),
    users.length === 0 ? '' : reportTable(' ', USERS, users),
  ].join('');
}
