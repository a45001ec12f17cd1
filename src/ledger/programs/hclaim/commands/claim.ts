/** `hclaim claim`, `confirm`, `move`, `release` and `expire`. */

import { allSaid } from '../../../../kit/cli/all-said.ts';
import { momentOf } from '../../../../kit/report/moments.ts';
import { claim, expireDue } from '../../../claims/claim/claim.ts';
import type { ConsumerClaim } from '../../../claims/claim/claim-request.ts';
import { moveClaims } from '../../../claims/claim/hand-over.ts';
import { confirmClaims, renewClaims } from '../../../claims/claim/renewal.ts';
import { keptName } from '../../../claims/model/names.ts';
import { consumersOf } from '../../../claims/tables/consumers.ts';
import {
  badArgument,
  checkHolders,
  readDuration,
  refuse,
  refuseTwice,
  required,
} from '../../shared/access/ledger-url.ts';
import { reported } from '../../shared/document/ending.ts';
import { authorOf, type Command, requireProviders, withLedger, withWhole } from '../kit/context.ts';
import { readGeneration, readProviderAmounts } from '../kit/read-words.ts';

const consumersIn = (words: readonly string[]): readonly string[] => [...new Set(words.map(keptName))];

const untilText = (ms: number | null): string =>
  ms === null ? '' : `, until ${momentOf(ms)} unless confirmed`;

export const claimAmounts: Command<'claim'> = async (options, words) => {
  const { consumer: named, project, user, consumerType: type, step: stepMode } = options;
  const [consumer, wanted, generation, ttl, author] = allSaid(
    () => keptName(required(named, 'hclaim claim: --consumer is missing', 'say who claims: --consumer NAME')),
    () => {
      if (words.length > 0) return readProviderAmounts(words);
      const remedy = `to give everything back, run: hclaim release ${named ?? 'CONSUMER'}`;
      throw badArgument('hclaim claim: nothing is claimed', remedy);
    },
    () => readGeneration(options.generation),
    () => readDuration('ttl', options.ttl),
    () => authorOf(options),
    () => checkHolders({ '--consumer': named, '--project': project, '--user': user, '--type': type }),
  );
  return withLedger(options, async (ledger) => {
    const names = wanted.map(({ provider }) => provider);
    const providers = await ledger.store.read((session) => requireProviders(session, names));
    // One may have been named by its name and by its UUID.
    const places = wanted.map((one, at) => `${one.class} of ${providers[at]!.name}`);
    refuseTwice(places, 'say each class of a provider once');
    const allocations = wanted.map((one, at) => ({ ...one, provider: providers[at]!.uuid }));
    const expiresAt = ttl === undefined ? undefined : ledger.now() + ttl;
    const one: ConsumerClaim = { consumer, allocations, project, user, type, generation, expiresAt };
    const outcome = await claim(ledger, author, { consumers: [one], stepMode, action: 'claim' });
    return reported(outcome, ({ generations: [now = null], ends: [end = null] }) => ({
      text: `Claimed for ${consumer} (generation ${now}${untilText(end)}).\n`,
      facts: { consumer, generation: now, expiresAt: momentOf(end) },
    }));
  });
};

export const release: Command<'release'> = (options, words) => {
  const [generation, author] = allSaid(
    () => readGeneration(options.generation),
    () => authorOf(options),
  );
  return withLedger(options, async (ledger) => {
    const consumers = consumersIn(words);
    const known = await ledger.store.read((session) => consumersOf(session, consumers));
    const missing = consumers.filter((consumer) => !known.has(consumer));
    const refusals = missing.map((consumer) => ({ kind: 'unknown-consumer', consumer }) as const);
    if (refusals.length > 0) return { kind: 'refused', refusals };
    const outcome = await claim(ledger, author, {
      consumers: consumers.map((consumer) => ({ consumer, allocations: [], generation })),
      stepMode: 'exempt',
      action: 'release',
    });
    return reported(outcome, () => ({ text: `Released: ${consumers.join(', ')}.\n`, facts: { consumers } }));
  });
};

export const move: Command<'move'> = (options, words) => {
  const [from, to] = words.map(keptName) as [string, string];
  const [author] = allSaid(
    () => authorOf(options),
    () => checkHolders({ TO: to }),
    refuse(from === to, `hclaim move: ${from} is both ends`, 'name two consumers'),
  );
  return withLedger(options, async (ledger) => {
    const outcome = await moveClaims(ledger, author, { from, to, stepMode: options.step });
    return reported(outcome, ({ generation, expiresAt }) => ({
      text: `Moved from ${from} to ${to} (generation ${generation}${untilText(expiresAt)}).\n`,
      facts: { from, to, generation, expiresAt: momentOf(expiresAt) },
    }));
  });
};

export const confirm: Command<'confirm'> = (options, words) =>
  // What has expired is not swept away before: who asks for it is to hear what became of it.
  withWhole(options, async (ledger) => {
    const consumers = consumersIn(words);
    const outcome = await confirmClaims(ledger, authorOf(options), consumers);
    return reported(outcome, () => ({ text: `Confirmed: ${consumers.join(', ')}.\n`, facts: { consumers } }));
  });

export const renew: Command<'renew'> = async (options, words) => {
  const [ttl, author] = allSaid(
    () =>
      readDuration(
        'ttl',
        required(options.ttl, 'hclaim renew: --ttl is missing', 'say for how long: --ttl 10m'),
      ),
    () => authorOf(options),
  );
  return withWhole(options, async (ledger) => {
    const consumers = consumersIn(words);
    const outcome = await renewClaims(ledger, author, consumers, ledger.now() + ttl);
    return reported(outcome, (ends) => {
      const renewed = ends.map((one) => ({ ...one, expiresAt: momentOf(one.expiresAt) }));
      const lines = renewed.map(({ consumer, expiresAt: end }) => {
        const until = end === null ? 'for good, nothing to renew' : `until ${end} unless confirmed`;
        return `${consumer}: ${until}.\n`;
      });
      return { text: lines.join(''), facts: { renewed } };
    });
  });
};

export const expire: Command<'expire'> = (options) =>
  withWhole(options, async (ledger) => {
    const consumers = await expireDue(ledger);
    const isNothing = consumers.length === 0;
    const text = isNothing ? 'Nothing has expired.\n' : `Expired: ${consumers.join(', ')}.\n`;
    return { kind: 'done', text, isNothing, facts: { consumers } };
  });
