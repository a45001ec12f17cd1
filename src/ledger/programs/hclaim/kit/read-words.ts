/** What the words behind a command mean; what means nothing is a UsageError. */
import { MAX_INTEGER } from '../../../claims/model/inventory.ts';
import { badArgument } from '../../shared/access/ledger-url.ts';

/** `5` is 5, `none` is null. */
export function readGeneration(text: string | undefined): number | null | undefined {
  if (text === undefined) return undefined;
  if (text === 'none') return null;
  if (!/^\d{1,15}$/.test(text))
    throw badArgument(`--generation: '${text}' is not a generation`, 'give a number from 0, or none');
  return Number(text);
}

interface WordAmount {
  readonly class: string;
  readonly amount: number;
}

const CLASS = /^[A-Z0-9_]{1,255}$/;

/** `VCPU:2` or, for totals, `VCPU=8`. */
export function readAmount(text: string, separator: ':' | '='): WordAmount {
  const [name = '', digits = '', ...more] = text.split(separator);
  const amount = /^\d{1,10}$/.test(digits) ? Number(digits) : 0;
  if (!CLASS.test(name) || more.length > 0 || amount < 1 || amount > MAX_INTEGER)
    throw badArgument(
      `'${text}' is not CLASS${separator}N`,
      `write the name of a class and a number from 1 to ${MAX_INTEGER}, such as MEMORY_MB${separator}2048`,
    );
  return { class: name, amount };
}

/** `node1=VCPU:2,MEMORY_MB:512`: the provider's name may itself have equals signs. */
export function readProviderAmounts(text: string): {
  readonly provider: string;
  readonly amounts: readonly WordAmount[];
} {
  const at = text.lastIndexOf('=');
  if (at < 1)
    throw badArgument(
      `'${text}' is not PROVIDER=CLASS:N,...`,
      'write for example node1=VCPU:2,MEMORY_MB:512',
    );
  const amounts = text
    .slice(at + 1)
    .split(',')
    .map((part) => readAmount(part, ':'));
  return { provider: text.slice(0, at), amounts };
}
