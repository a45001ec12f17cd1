/** What the arguments of options mean; what means nothing is a UsageError. */

import { allSaid } from '../../../../kit/cli/all-said.ts';
import { filterNames } from '../../../binding/filters/filters.ts';
import { ANY_METRIC, type Limit } from '../../../binding/model/limits.ts';
import { type Affinity, isName, NAME_RULE, type Policy, type Request } from '../../../binding/model/pod.ts';
import { weigherNames } from '../../../binding/weighers/weighers.ts';
import { badArgument, refuseTwice } from '../../shared/access/ledger-url.ts';
import type { Options } from './context.ts';

/** Takes something away that was stated. */
const NONE = 'none';

/** The part in front of the first `=`, and what is behind it; undefined when there is none. */
function split(text: string): readonly [string, string] | undefined {
  const at = text.indexOf('=');
  return at < 0 ? undefined : [text.slice(0, at), text.slice(at + 1)];
}

export function readName(what: string, text: string): string {
  if (isName(text)) return text;
  throw badArgument(`${what}: '${text}' is not a name`, NAME_RULE);
}

/** What an option that may be repeated says by name. @throws {UsageError} when it says two things of one */
function readNamed<Value>(
  option: string,
  texts: readonly string[],
  read: (text: string) => readonly [name: string, value: Value],
): Readonly<Record<string, Value>> {
  const said = allSaid(...texts.map((text) => () => read(text)));
  refuseTwice(
    said.map(([name]) => `--${option} ${name === ANY_METRIC ? 'for all metrics' : name}`),
    'say each of them once',
  );
  return Object.fromEntries(said);
}

/** `KEY=VALUE` each. */
const readPairs = (option: string, texts: readonly string[]): Affinity =>
  readNamed(option, texts, (text) => {
    const [key, value] = split(text) ?? [];
    if (key !== undefined && value !== undefined && isName(key) && isName(value)) return [key, value];
    throw badArgument(`--${option}: '${text}' is not KEY=VALUE`, "write for example 'resource=CAD Modeling'");
  });

/** As pairs, or `none`. undefined: nothing was said. */
export function readAffinity({ affinity }: Options): Affinity | undefined {
  if (affinity.length === 0) return undefined;
  if (affinity.length === 1 && affinity[0] === NONE) return {};
  return readPairs('affinity', affinity);
}

const NUMBER = /^\d{1,15}(?:\.\d{1,15})?$/;
const SIGNED_NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/;

/** `METRIC=N` each. */
const readNeed = (texts: readonly string[]): Readonly<Record<string, number>> =>
  readNamed('need', texts, (text) => {
    const [name = '', digits = ''] = split(text) ?? [];
    if (isName(name) && NUMBER.test(digits)) return [name, Number(digits)];
    throw badArgument(`--need: '${text}' is not METRIC=N`, 'write for example memory=4096');
  });

export function readLimits({ threshold, headroom }: Options): Readonly<Record<string, Limit>> {
  const shareOf = (text: string): [string, Limit] => {
    const [name, digits] = split(text) ?? [ANY_METRIC, text];
    const share = NUMBER.test(digits) ? Number(digits) : 0;
    if (isName(name) && share > 0 && share <= 1) return [name, { share }];
    throw badArgument(
      `--threshold: '${text}' is not [METRIC=]SHARE`,
      'give a share above 0 and at most 1, such as 0.9 or memory=0.85',
    );
  };
  const roomOf = (text: string): [string, Limit] => {
    const [name, digits] = split(text) ?? [ANY_METRIC, text];
    if (isName(name) && NUMBER.test(digits)) return [name, { free: Number(digits) }];
    throw badArgument(
      `--headroom: '${text}' is not [METRIC=]N`,
      'give a number of at least 0, such as 50 or memory=4096',
    );
  };
  const [shares, rooms] = allSaid(
    () => readNamed('threshold', threshold, shareOf),
    () => readNamed('headroom', headroom, roomOf),
  );
  const both = Object.keys(rooms).filter((name) => Object.hasOwn(shares, name));
  if (both.length > 0)
    throw badArgument(
      `--threshold and --headroom both speak of ${both.map((one) => (one === ANY_METRIC ? 'all metrics' : one)).join(', ')}`,
      'a metric has one limit: leave one of them out',
    );
  return { ...shares, ...rooms };
}

/** A share, `none` is null; undefined: nothing was said. */
export function readReopen({ reopen }: Options): number | null | undefined {
  if (reopen === undefined || reopen === NONE) return reopen === NONE ? null : undefined;
  const share = NUMBER.test(reopen) ? Number(reopen) : Number.NaN;
  if (share >= 0 && share <= 1) return share;
  throw badArgument(
    `--reopen: '${reopen}' is not a share`,
    'give a number from 0 to 1, such as 0.8, or none',
  );
}

/** A number, `none` is null; undefined: nothing was said. */
export function readFigure(option: string, text: string | undefined): number | null | undefined {
  if (text === undefined || text === NONE) return text === NONE ? null : undefined;
  if (SIGNED_NUMBER.test(text)) return Number(text);
  throw badArgument(`--${option}: '${text}' is not a number`, 'give a number, such as 1.5, or none');
}

export function readPolicy({ filters, weigh }: Options): Partial<Policy> {
  const [, weighers] = allSaid(
    () => {
      const unknown = (filters ?? []).filter((name) => !filterNames.includes(name));
      if (unknown.length > 0)
        throw badArgument(
          `--filters: there is no filter '${unknown.join("', '")}'`,
          `these are: ${filterNames.join(', ')}`,
        );
    },
    () =>
      readNamed('weigh', weigh, (text) => {
        const [name = '', digits = ''] = split(text) ?? [];
        if (weigherNames.includes(name) && SIGNED_NUMBER.test(digits)) return [name, Number(digits)];
        throw badArgument(
          `--weigh: '${text}' is not WEIGHER=N`,
          `write for example idle=2; the weighers are ${weigherNames.join(', ')}`,
        );
      }),
  );
  return { ...(filters && { filters: [...new Set(filters)] }), ...(weigh.length > 0 && { weighers }) };
}

/** A zone, or none; undefined: nothing was said. */
export const readZone = ({ zone }: Options): string | undefined => zone && readName('--az', zone);

export function readAsk(options: Options): Omit<Request, 'tenant'> {
  const [az = '', specs, need] = allSaid(
    () => readZone(options),
    () => readPairs('spec', options.extraSpecs),
    () => readNeed(options.need),
  );
  return { az, specs, need };
}
