/**
 * Readers of single values: amounts, traits, aggregates, uuids, lists of suffixes. The wording begins as
 * clients of the public interface know it.
 */
import type { Dialect } from './dialect.ts';
import { BAD_VALUE, type ProblemList } from './problem.ts';

const UUID = /^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/i;
const WHOLE_NUMBER = /^\s*[+-]?\d+\s*$/;
const INVALID = 'Invalid query string parameters: ';

export const isUuidLike = (text: string): boolean => UUID.test(text);

/** The form in which uuids are kept and compared: lower case, with dashes. */
export function canonicalUuid(text: string): string {
  const hex = text.replaceAll('-', '').toLowerCase();
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** `CLASS:n,CLASS:n`; amounts are whole and at least 1. */
export function readResources(
  parameter: string,
  value: string,
  dialect: Dialect,
  into: Map<string, number>,
  faults: ProblemList,
): void {
  const form =
    'Badly formed resources parameter. Expected resources query string parameter in form: ?resources=VCPU:2,MEMORY_MB:1024.';
  if (value.trim() === '') {
    faults.add(parameter, value, `${form} Got: empty string.`);
    return;
  }
  for (const item of value.split(',')) {
    const [name, amountText, ...rest] = item.split(':');
    if (amountText === undefined || rest.length > 0) {
      faults.add(parameter, value, `${form} Got: ${item}.`);
      continue;
    }
    const amount = WHOLE_NUMBER.test(amountText) ? Number(amountText) : Number.NaN;
    if (!Number.isSafeInteger(amount))
      faults.add(
        parameter,
        value,
        `Requested resource ${name} expected positive integer amount. Got: ${amountText}.`,
      );
    else if (amount < 1)
      faults.add(parameter, value, `Requested resource ${name} requires amount >= 1. Got: ${amount}.`);
    else if (dialect.beyond && into.has(name!))
      faults.add(parameter, value, `Resource ${name} is asked for twice.`, BAD_VALUE, 'add the amounts up');
    else into.set(name!, amount);
  }
}

interface TraitLists {
  required: string[][];
  forbidden: string[];
}

/** `T1,!T2` or `in:T1,T2`. */
export function readTraits(
  parameter: string,
  value: string,
  dialect: Pick<Dialect, 'forbiddenTraits' | 'anyTraits' | 'beyond'>,
  into: TraitLists,
  faults: ProblemList,
): void {
  const bad = (problem: string): void => faults.add(parameter, value, `${INVALID}${problem}`);
  if (value.startsWith('in:')) {
    const traits = value
      .slice(3)
      .split(',')
      .map((trait) => trait.trim());
    if (!dialect.anyTraits)
      bad(
        `The format 'in:HW_CPU_X86_VMX,CUSTOM_MAGIC' only supported since microversion 1.39. Got: ${value}`,
      );
    else if (traits.includes(''))
      bad(
        `Expected '${parameter}' parameter value of the form: in:HW_CPU_X86_VMX,CUSTOM_MAGIC. Got an empty trait in: ${value}`,
      );
    else if (traits.some((trait) => trait.startsWith('!')))
      bad(`The format 'in:HW_CPU_X86_VMX,CUSTOM_MAGIC' does not support forbidden traits. Got: ${value}`);
    else into.required.push([...new Set(traits)]);
    return;
  }
  const form = dialect.forbiddenTraits ? 'HW_CPU_X86_VMX,!CUSTOM_MAGIC' : 'HW_CPU_X86_VMX,CUSTOM_MAGIC';
  for (const item of value.split(',').map((trait) => trait.trim())) {
    const isForbidden = item.startsWith('!');
    // Up to 1.39 any number of marks in front counts as one.
    const name = isForbidden ? (dialect.beyond ? item.slice(1) : item.replace(/^!+/, '')) : item;
    if (name === '' || name.startsWith('!')) {
      bad(
        `Expected 'required' parameter value of the form: ${form}. Got ${name === '' ? 'an empty trait' : 'a doubled mark'} in: ${value}`,
      );
      return;
    }
    if (isForbidden && !dialect.forbiddenTraits) {
      bad(`Expected 'required' parameter value of the form: ${form}. Got: ${value}`);
      return;
    }
    if (isForbidden) into.forbidden.push(name);
    else into.required.push([name]);
  }
}

interface AggregateLists {
  memberOf: string[][];
  notMemberOf: string[];
}

/** A uuid, `in:` or `!in:` and uuids divided by commas, `!` and a uuid. */
export function readAggregates(
  parameter: string,
  value: string,
  dialect: Pick<Dialect, 'forbiddenAggregates'>,
  into: AggregateLists,
  faults: ProblemList,
): void {
  const [, mark = '', list = ''] = /^(!in:|in:|!|)(.*)$/s.exec(value)!;
  if (list.includes(',') && !mark.endsWith('in:')) {
    faults.add(
      parameter,
      value,
      `Multiple values for 'member_of' must be prefixed with the 'in:' or '!in:' keyword using the valid microversion. Got: ${value}`,
    );
    return;
  }
  const uuids = list.split(',');
  const wrong = uuids.find((uuid) => !isUuidLike(uuid));
  if (wrong !== undefined) {
    faults.add(
      parameter,
      value,
      `${INVALID}Expected 'member_of' parameter to contain valid UUID(s). Got: ${wrong}`,
    );
    return;
  }
  if (mark.startsWith('!') && !dialect.forbiddenAggregates) {
    faults.add(
      parameter,
      value,
      `Forbidden ${parameter} parameters are not supported in the specified microversion`,
    );
    return;
  }
  if (mark.startsWith('!')) into.notMemberOf.push(...uuids.map(canonicalUuid));
  else into.memberOf.push(uuids.map(canonicalUuid));
}

/** Uuid of a provider; undefined when it is none. */
export function readInTree(parameter: string, value: string, faults: ProblemList): string | undefined {
  const uuid = value.trim();
  if (isUuidLike(uuid)) return canonicalUuid(uuid);
  faults.add(
    parameter,
    value,
    `${INVALID}Expected 'in_tree' parameter to be a format of uuid. Got: ${value}`,
  );
  return undefined;
}

/** Suffixes divided by commas, each once; undefined when one is empty. */
export function readSuffixes(parameter: string, value: string, faults: ProblemList): string[] | undefined {
  const suffixes = [...new Set(value.split(',').map((suffix) => suffix.trim()))];
  if (!suffixes.includes('')) return suffixes;
  faults.add(
    parameter,
    value,
    `Empty string (unsuffixed group) can not be specified in \`${parameter}\``,
    BAD_VALUE,
    'give the unsuffixed group a suffix',
  );
  return undefined;
}
