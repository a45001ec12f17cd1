/** Bindings of tenants: `hbind select`, `bind`, `unbind`, `expire`, `rebind` and `history`. */

import { allSaid } from '../../../../kit/cli/all-said.ts';
import { EXIT } from '../../../../kit/exit-status.ts';
import { timeText } from '../../../../kit/report/moments.ts';
import { reportTable } from '../../../../kit/report/report-table.ts';
import { numbers, texts } from '../../../../kit/report/text-table.ts';
import { bind, expire, unbind } from '../../../binding/book/bind.ts';
import type { Book } from '../../../binding/book/book.ts';
import { rebind } from '../../../binding/book/rebind.ts';
import { type Selected, select } from '../../../binding/book/select.ts';
import type { PodWord } from '../../../binding/choice/choose.ts';
import type { Binding } from '../../../binding/model/pod.ts';
import { pastOf } from '../../../binding/tables/bindings.ts';
import type { Candidate } from '../../../binding/weighers/weighers.ts';
import { readDuration, required } from '../../shared/access/ledger-url.ts';
import { bindingJson, bindingsJson, selectedJson } from '../../shared/binding/json.ts';
import { reported } from '../../shared/document/ending.ts';
import { actorOf, type Command, withBook } from '../kit/context.ts';
import { readAsk, readName, readPolicy } from '../kit/read-words.ts';
import { reboundWords, requestWords, stateWord, whoWords } from '../text/words.ts';

export const selectPod: Command<'select'> = (options) => {
  const [tenant, ask, policy, lastsMs, actor] = allSaid(
    () =>
      readName(
        '--tenant',
        required(options.tenant, 'hbind select: --tenant is missing', 'say who asks: --tenant NAME'),
      ),
    () => readAsk(options),
    () => readPolicy(options),
    () => readDuration('for', options.bindFor),
    () => actorOf(options),
  );
  const request = { tenant, ...ask };
  return withBook(options, async (book) => {
    const selected = await select(book, request, {
      actor,
      policy,
      lastsMs,
      isDry: options.dryRun,
      explains: options.explainChoice,
    });
    const wantsWeights = options.verbosity > 1 && !options.explainChoice;
    const weights = wantsWeights && selected.kind === 'bound' ? weightsTable(selected.candidates) : '';
    const words = selected.words ? explanationText(selected.words) : '';
    return {
      kind: 'done',
      text: selectedText(selected, options.dryRun) + weights + words,
      facts: selectedJson(selected),
      ...(selected.kind === 'none' ? { notes: noneText(tenant, selected), status: EXIT.no } : {}),
    };
  });
};

export const bindTenant: Command<'bind'> = (options, [tenant = '', pod = '']) => {
  const [{ az, specs }, lastsMs, actor] = allSaid(
    () => readAsk(options),
    () => readDuration('for', options.bindFor),
    () => actorOf(options),
    () => readName('TENANT', tenant),
  );
  const wish = { tenant, pod, az, specs: options.extraSpecs.length > 0 ? specs : undefined, lastsMs };
  return withBook(options, async (book) =>
    reported(await bind(book, actor, wish), (bound) => {
      const word = stateWord(bound.pod);
      const notes = [
        ...(word === 'open'
          ? []
          : [`Note: ${bound.pod.name} is ${word}: the tenant's next request moves it on\n`]),
        ...(bound.isKept && lastsMs !== undefined
          ? ['Note: the binding stays as it was: --for is for a new one\n']
          : []),
      ];
      return {
        text: `${bound.pod.name} ${bound.isKept ? 'kept' : 'new'} ${bound.binding.id}\n`,
        facts: { binding: bindingJson(bound.binding, bound.pod.name), isKept: bound.isKept },
        notes: notes.join(''),
      };
    }),
  );
};

async function done(book: Book, bindings: readonly Binding[], none: string) {
  const ended = await book.store.read((session) => bindingsJson(session, bindings));
  const lines = ended.map((one) => `${whoWords(one)} is not bound to ${one.pod} any more.\n`);
  return {
    kind: 'done',
    text: lines.join('') || none,
    isNothing: ended.length === 0,
    facts: { ended },
  } as const;
}

export const unbindTenant: Command<'unbind'> = (options, [tenant = '']) => {
  const { az, specs } = readAsk(options);
  const only = {
    az: options.zone === undefined ? undefined : az,
    specs: options.extraSpecs.length > 0 ? specs : undefined,
  };
  return withBook(options, async (book) =>
    done(book, await unbind(book, tenant, only), 'There is no such binding.\n'),
  );
};

export const expireBindings: Command<'expire'> = (options) =>
  withBook(options, async (book) => done(book, await expire(book), 'No binding is over its time.\n'));

export const rebindTenants: Command<'rebind'> = (options, tenants) =>
  withBook(options, async (book) => {
    const wish = {
      tenants: tenants.length > 0 ? tenants : undefined,
      pod: options.pod,
      isDry: options.dryRun,
    };
    return reported(await rebind(book, actorOf(options), wish), (rebound) => {
      const staying = rebound.filter(({ to }) => to === null).length;
      const moved = rebound.length - staying;
      const lines = rebound.map((one) => `${reboundWords(one)}\n`).join('');
      const sum = `${moved} ${options.dryRun ? 'would be ' : ''}rebound, ${staying} without another pod.\n`;
      return {
        text: rebound.length === 0 ? 'Nobody has to be rebound.\n' : lines + sum,
        isNothing: rebound.length === 0,
        facts: { rebound, isDryRun: options.dryRun },
        status: staying > 0 ? EXIT.no : 0,
      };
    });
  });

const COLUMNS = texts('Pod', 'From', 'Until', 'Began', 'Ended', 'For');

export const history: Command<'history'> = (options, [tenant = '']) =>
  withBook(options, async (book) => {
    const bindings = await book.store.read(async (session) => {
      const past = [...(await pastOf(session, tenant, options.rowLimit))];
      return bindingsJson(session, past.reverse());
    });
    const rows = bindings.map(({ pod, start, end, reason, endReason, az, affinity }) => {
      const until = end === null ? 'now' : timeText(end);
      return [pod, timeText(start), until, reason, endReason ?? '-', requestWords(az, affinity) || '-'];
    });
    return {
      kind: 'done',
      text: rows.length === 0 ? `${tenant} was never bound to a pod.\n` : reportTable('', COLUMNS, rows),
      isNothing: rows.length === 0,
      facts: { tenant, bindings },
    };
  });

/** The pod, `kept` or `new`, and the binding's number; then which pod the tenant leaves, if any, and why. */
function selectedText(selected: Selected, isDry: boolean): string {
  if (selected.kind === 'none') return '';
  if (selected.kind === 'kept') return `${selected.pod.name} kept ${selected.binding.id}\n`;
  const { pod, binding, ended, left } = selected;
  const leaves = ended ? `, leaves ${left!.name}: ${ended.endReason}` : '';
  return `${pod.name} ${isDry ? 'would be new' : `new ${binding.id}`}${leaves}\n`;
}

function noneText(tenant: string, selected: Selected & { readonly kind: 'none' }): string {
  const { question, refusedBy, left, words } = selected;
  const who = whoWords({ tenant, ...question });
  const counts = Object.entries(refusedBy)
    .map(([filter, count]) => `${count} by ${filter}`)
    .join(', ');
  const stays = left ? `; it stays bound to ${left.name}` : '';
  return `Refused: no pod takes ${who}: ${counts === '' ? 'there are no pods' : `refused ${counts}`}${stays}\n${words ? '' : 'Maybe see why: hbind select --explain --dry-run ...\n'}`;
}

const figure = (value: number): string => String(Number(value.toFixed(4)));

function weightsTable(candidates: readonly Candidate[]): string {
  const names = candidates[0]?.weighings.map(({ weigher }) => weigher) ?? [];
  return reportTable(
    '',
    [...texts('Pod'), ...numbers('Total', ...names)],
    candidates.map(({ pod, total, weighings }) => [
      pod.name,
      figure(total),
      ...weighings.map(({ scaled, multiplier }) => `${figure(scaled)}x${multiplier}`),
    ]),
  );
}

/** Each filter's and weigher's word for each pod: candidates by rank, then the refused with all reasons. */
function explanationText(words: readonly PodWord[]): string {
  const lines = words.map(({ pod, filters, place, total, weighings }) => {
    const passed = filters.filter(({ why }) => why === null).map(({ filter }) => filter);
    const refused = filters.filter(({ why }) => why !== null);
    const weights = weighings
      .map(({ weigher, scaled, multiplier }) => `${weigher} ${figure(scaled)} x ${multiplier}`)
      .join(', ');
    const head =
      place !== null
        ? `${place}. ${pod}: ${figure(total!)}${weights === '' ? '' : ` (${weights})`}`
        : `-  ${pod}: ${refused.length === 0 ? 'left out, the tenant is leaving it' : 'refused'}`;
    return [
      head,
      ...refused.map(({ filter, why }) => `     ${filter}: ${why}`),
      `     passes ${passed.join(', ') || 'none'}`,
    ].join('\n');
  });
  return `${lines.join('\n')}\n`;
}
