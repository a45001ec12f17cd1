/** What the words behind a command mean; what means nothing is a UsageError. */

import { allSaid } from '../../../../kit/cli/all-said.ts';
import { MAX_INTEGER } from '../../../claims/model/inventory.ts';
import { badArgument, refuse } from '../../shared/access/ledger-url.ts';

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

function amountIn(text: string, separator: string): WordAmount | undefined {
  const [name = '', digits = '', ...more] = text.split(separator);
  const amount = /^\d{1,10}$/.test(digits) ? Number(digits) : 0;
  const isAmount = CLASS.test(name) && more.length === 0 && amount >= 1 && amount <= MAX_INTEGER;
  return isAmount ? { class: name, amount } : undefined;
}

/** `VCPU:2` or, for totals, `VCPU=8`. @throws {UsageError} with all that are none */
export function readAmounts(texts: readonly string[], separator: ':' | '='): readonly WordAmount[] {
  const amounts = texts.map((text) => amountIn(text, separator));
  const wrong = texts.filter((_, at) => amounts[at] === undefined);
  if (wrong.length > 0)
    throw badArgument(
      `'${wrong.join("', '")}' is not CLASS${separator}N`,
      `write the name of a class and a number from 1 to ${MAX_INTEGER}, such as MEMORY_MB${separator}2048`,
    );
  return amounts as readonly WordAmount[];
}

/** `node1=VCPU:2,MEMORY_MB:512`: a provider's name may itself have equals signs. @throws {UsageError} */
export function readProviderAmounts(
  words: readonly string[],
): readonly (WordAmount & { readonly provider: string })[] {
  const isBare = (word: string): boolean => word.lastIndexOf('=') < 1;
  const bare = words.filter(isBare).join("', '");
  const parts = words.flatMap((word) => {
    const at = word.lastIndexOf('=');
    const own = isBare(word) ? [] : word.slice(at + 1).split(',');
    return own.map((text) => ({ provider: word.slice(0, at), text }));
  });
  const texts = parts.map(({ text }) => text);
  const [amounts] = allSaid(
    () => readAmounts(texts, ':'),
    refuse(
      bare !== '',
      `'${bare}' is not PROVIDER=CLASS:N,...`,
      'write for example node1=VCPU:2,MEMORY_MB:512',
    ),
  );
  return parts.map(({ provider }, at) => ({ provider, ...amounts[at]! }));
}
