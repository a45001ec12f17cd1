/** `hclaim claim`, `confirm`, `move`, `release` and `expire`. */
import { momentOf } from '../../../../kit/report/moments.ts';
import { claim, expireDue } from '../../../claims/claim/claim.ts';
import type { ConsumerClaim } from '../../../claims/claim/claim-request.ts';
import { moveClaims } from '../../../claims/claim/hand-over.ts';
import { confirmClaims, renewClaims } from '../../../claims/claim/renewal.ts';
import { keptName } from '../../../claims/model/names.ts';
import { consumersOf } from '../../../claims/tables/consumers.ts';
import { badArgument, checkHolder, readDuration, refuseTwice } from '../../shared/access/ledger-url.ts';
import { reported } from '../../shared/document/ending.ts';
import { authorOf, type Command, requireProviders, withLedger, withWhole } from '../kit/context.ts';
import { readGeneration, readProviderAmounts } from '../kit/read-words.ts';

const consumersIn = (words: readonly string[]): readonly string[] => [...new Set(words.map(keptName))];

const untilText = (ms: number | null): string =>
  ms === null ? '' : `, until ${momentOf(ms)} unless confirmed`;

export const claimAmounts: Command<'claim'> = async (options, words) => {
  const { consumer: named, project, user, consumerType: type, step: stepMode } = options;
  if (named === undefined)
    throw badArgument('hclaim claim: --consumer is missing', 'say who claims: --consumer NAME');
  const consumer = keptName(named);
  for (const [option, name] of Object.entries({ consumer, project, user, type }))
    checkHolder(`--${option}`, name);
  if (words.length === 0)
    throw badArgument(
      'hclaim claim: nothing is claimed',
      `to give everything back, run: hclaim release ${consumer}`,
    );
  const wanted = readProviderAmounts(words);
  const generation = readGeneration(options.generation);
  const ttl = readDuration('ttl', options.ttl);
  return withLedger(options, async (ledger) => {
    const names = wanted.map(({ provider }) => provider);
    const providers = await ledger.store.read((session) => requireProviders(session, names));
    // One may have been named by its name and by its UUID.
    const places = wanted.map((one, at) => `${one.class} of ${providers[at]!.name}`);
    refuseTwice(places, 'say each class of a provider once');
    const allocations = wanted.map((one, at) => ({ ...one, provider: providers[at]!.uuid }));
    const expiresAt = ttl === undefined ? undefined : ledger.now() + ttl;
    const one: ConsumerClaim = { consumer, allocations, project, user, type, generation, expiresAt };
    const outcome = await claim(ledger, authorOf(options), { consumers: [one], stepMode, action: 'claim' });
    return reported(outcome, ({ generations: [now = null], ends: [end = null] }) => ({
      text: `Claimed for ${consumer} (generation ${now}${untilText(end)}).\n`,
      facts: { consumer, generation: now, expiresAt: momentOf(end) },
    }));
  });
};

export const release: Command<'release'> = (options, words) =>
  withLedger(options, async (ledger) => {
    const generation = readGeneration(options.generation);
    const consumers = consumersIn(words);
    const known = await ledger.store.read((session) => consumersOf(session, consumers));
    const missing = consumers.filter((consumer) => !known.has(consumer));
    const refusals = missing.map((consumer) => ({ kind: 'unknown-consumer', consumer }) as const);
    if (refusals.length > 0) return { kind: 'refused', refusals };
    const outcome = await claim(ledger, authorOf(options), {
      consumers: consumers.map((consumer) => ({ consumer, allocations: [], generation })),
      stepMode: 'exempt',
      action: 'release',
    });
    return reported(outcome, () => ({ text: `Released: ${consumers.join(', ')}.\n`, facts: { consumers } }));
  });

export const move: Command<'move'> = (options, words) =>
  withLedger(options, async (ledger) => {
    const [from, to] = words.map(keptName) as [string, string];
    checkHolder('TO', to);
    if (from === to) throw badArgument(`hclaim move: ${from} is both ends`, 'name two consumers');
    const outcome = await moveClaims(ledger, authorOf(options), { from, to, stepMode: options.step });
    return reported(outcome, ({ generation, expiresAt }) => ({
      text: `Moved from ${from} to ${to} (generation ${generation}${untilText(expiresAt)}).\n`,
      facts: { from, to, generation, expiresAt: momentOf(expiresAt) },
    }));
  });

export const confirm: Command<'confirm'> = (options, words) =>
  // What has expired is not swept away before: who asks for it is to hear what became of it.
  withWhole(options, async (ledger) => {
    const consumers = consumersIn(words);
    const outcome = await confirmClaims(ledger, authorOf(options), consumers);
    return reported(outcome, () => ({ text: `Confirmed: ${consumers.join(', ')}.\n`, facts: { consumers } }));
  });

export const renew: Command<'renew'> = async (options, words) => {
  if (options.ttl === undefined)
    throw badArgument('hclaim renew: --ttl is missing', 'say for how long: --ttl 10m');
  const ttl = readDuration('ttl', options.ttl);
  return withWhole(options, async (ledger) => {
    const consumers = consumersIn(words);
    const outcome = await renewClaims(ledger, authorOf(options), consumers, ledger.now() + ttl);
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
