/** `hclaim claim`, `confirm`, `move`, `release` and `expire`. */
import { type ClaimOutcome, claim } from '../../../claims/claim/claim.ts';
import type { Amount, ConsumerClaim } from '../../../claims/claim/claim-request.ts';
import { expireDue } from '../../../claims/claim/expiry.ts';
import { confirmClaims, moveClaims } from '../../../claims/claim/hand-over.ts';
import { openLedger } from '../../../claims/claim/ledger.ts';
import { isConsumerName, MAX_CONSUMER_LENGTH } from '../../../claims/model/names.ts';
import { findProvider } from '../../../claims/tables/providers.ts';
import {
  authorOf,
  badArgument,
  type Command,
  type Ending,
  type Report,
  say,
  withLedger,
} from '../kit/context.ts';
import { readDuration, readGeneration, readProviderAmounts } from '../kit/read-words.ts';

/** A done outcome in words; others as they are. */
const endingOf = (
  outcome: ClaimOutcome,
  report: (generations: readonly (number | null)[]) => Report,
): Ending => (outcome.kind === 'done' ? { kind: 'done', ...report(outcome.value.generations) } : outcome);

export const claimAmounts: Command = async (options, words) => {
  const { consumer, project, user, consumerType: type, step: stepMode } = options;
  if (consumer === undefined)
    throw badArgument('hclaim claim: --consumer is missing', 'say who claims: --consumer NAME');
  checkConsumer(consumer);
  if (words.length === 0)
    throw badArgument(
      'hclaim claim: nothing is claimed',
      `to give everything back, run: hclaim release ${consumer}`,
    );
  const wanted = words.map(readProviderAmounts);
  const generation = readGeneration(options.generation);
  const ttl = options.ttl === undefined ? undefined : readDuration('ttl', options.ttl);
  return withLedger(options, async (ledger) => {
    const allocations = await ledger.store.read(async (session) => {
      const all: Amount[] = [];
      for (const { provider: name, amounts } of wanted) {
        const uuid = (await findProvider(session, name))?.uuid ?? name;
        for (const { class: className, amount } of amounts)
          all.push({ provider: uuid, class: className, amount });
      }
      return all;
    });
    const expiresAt = ttl === undefined ? undefined : ledger.now() + ttl;
    const one: ConsumerClaim = { consumer, allocations, project, user, type, generation, expiresAt };
    const outcome = await claim(ledger, authorOf(options), { consumers: [one], stepMode, action: 'claim' });
    return say(
      'claim',
      options,
      endingOf(outcome, ([now]) => ({
        text: `Claimed for ${consumer} (generation ${now}${expiresAt === undefined ? '' : `, until ${new Date(expiresAt).toISOString()} unless confirmed`}).\n`,
        facts: {
          consumer,
          generation: now,
          expiresAt: expiresAt === undefined ? null : new Date(expiresAt).toISOString(),
        },
      })),
    );
  });
};

function checkConsumer(name: string): void {
  if (!isConsumerName(name))
    throw badArgument(
      `'${name}' is not a name for a consumer`,
      `give 1 to ${MAX_CONSUMER_LENGTH} printable characters`,
    );
}

export const release: Command = (options, words) =>
  withLedger(options, async (ledger) => {
    const generation = readGeneration(options.generation);
    const consumers = [...new Set(words)];
    const missing = await ledger.store.read((session) => unknownOf(session, consumers));
    if (missing.length > 0)
      return say('release', options, {
        kind: 'refused',
        refusals: missing.map((consumer) => ({ kind: 'unknown-consumer', consumer })),
      });
    const outcome = await claim(ledger, authorOf(options), {
      consumers: consumers.map((consumer) => ({ consumer, allocations: [], generation })),
      stepMode: 'exempt',
      action: 'release',
    });
    return say(
      'release',
      options,
      endingOf(outcome, () => ({ text: `Released: ${consumers.join(', ')}.\n`, facts: { consumers } })),
    );
  });

type Read = Parameters<Parameters<Parameters<Parameters<typeof withLedger>[1]>[0]['store']['read']>[0]>[0];

async function unknownOf(session: Read, names: readonly string[]): Promise<readonly string[]> {
  const rows = await session.all<{ uuid: string }>('SELECT uuid FROM consumers WHERE uuid IN_TEXTS(?)', [
    names,
  ]);
  const known = new Set(rows.map(({ uuid }) => uuid));
  return names.filter((name) => !known.has(name));
}

export const move: Command = (options, words) =>
  withLedger(options, async (ledger) => {
    const [from, to] = words as [string, string];
    checkConsumer(to);
    if (from === to) throw badArgument(`hclaim move: ${from} is both ends`, 'name two consumers');
    const outcome = await moveClaims(ledger, authorOf(options), { from, to, stepMode: options.step });
    if (outcome.kind !== 'done') return say('move', options, outcome);
    const { generation } = outcome.value;
    const facts = { from, to, generation };
    return say('move', options, {
      kind: 'done',
      text: `Moved from ${from} to ${to} (generation ${generation}).\n`,
      facts,
    });
  });

export const confirm: Command = (options, words) =>
  // What has expired is not swept away before: who asks for it is to hear what became of it.
  withLedger(
    options,
    async (ledger) => {
      const consumers = [...new Set(words)];
      const outcome = await confirmClaims(ledger, authorOf(options), consumers);
      if (outcome.kind !== 'done') return say('confirm', options, outcome);
      return say('confirm', options, {
        kind: 'done',
        text: `Confirmed: ${consumers.join(', ')}.\n`,
        facts: { consumers },
      });
    },
    openLedger,
  );

export const expire: Command = (options) =>
  withLedger(
    options,
    async (ledger) => {
      const consumers = await expireDue(ledger);
      const text = consumers.length === 0 ? 'Nothing has expired.\n' : `Expired: ${consumers.join(', ')}.\n`;
      return say('expire', options, { kind: 'done', text, facts: { consumers } });
    },
    openLedger,
  );
