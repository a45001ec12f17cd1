/** Readers of single values. The wording begins as clients of the public interface know it. */
import { canonicalUuid, isUuid } from '../../claims/model/names.ts';
import { BAD_VALUE, type Dialect, INVALID, type Reading } from './reading.ts';
import type { LabelRules } from './request.ts';

const WHOLE_NUMBER = /^\s*[+-]?\d+\s*$/;

const RESOURCES_FORM =
  'Badly formed resources parameter. Expected resources query string parameter in form: ?resources=VCPU:2,MEMORY_MB:1024.';

/** `CLASS:n,CLASS:n`; amounts are whole and at least 1. */
export function readResources(
  parameter: string,
  value: string,
  reading: Reading,
  into: Map<string, number>,
): void {
  const complain = reading.of(parameter, value);
  if (value.trim() === '') {
    complain(`${RESOURCES_FORM} Got: empty string.`);
    return;
  }
  for (const item of value.split(',')) {
    const [name, amountText, ...rest] = item.split(':');
    if (amountText === undefined || rest.length > 0) {
      complain(`${RESOURCES_FORM} Got: ${item}.`);
      continue;
    }
    const amount = WHOLE_NUMBER.test(amountText) ? Number(amountText) : Number.NaN;
    if (!Number.isSafeInteger(amount))
      complain(`Requested resource ${name} expected positive integer amount. Got: ${amountText}.`);
    else if (amount < 1) complain(`Requested resource ${name} requires amount >= 1. Got: ${amount}.`);
    else if (reading.dialect.beyond && into.has(name!))
      complain(`Resource ${name} is asked for twice.`, BAD_VALUE, 'add the amounts up');
    else into.set(name!, amount);
  }
}

interface Labels extends LabelRules {
  readonly required: string[][];
  readonly forbidden: string[];
  readonly memberOf: string[][];
  readonly notMemberOf: string[];
}

export const noLabels = (): Labels => ({ required: [], forbidden: [], memberOf: [], notMemberOf: [] });

/** `T1,!T2` or, where the parameter takes that, `in:T1,T2`. */
export function readTraits(
  parameter: string,
  value: string,
  reading: Reading,
  into: Labels,
  anyTraits = reading.dialect.anyTraits,
): void {
  const isAnyOf = value.startsWith('in:');
  const traits = (isAnyOf ? value.slice(3) : value).split(',').map((trait) => trait.trim());
  const problem = isAnyOf
    ? takeAnyOf(traits, parameter, anyTraits, into)
    : takeAllOf(traits, reading.dialect, into);
  if (problem !== undefined) reading.of(parameter, value)(`${INVALID}${problem}: ${value}`);
}

/** @returns what is wrong with them, up to the value */
function takeAnyOf(traits: readonly string[], parameter: string, isKnown: boolean, { required }: Labels) {
  const form = 'in:HW_CPU_X86_VMX,CUSTOM_MAGIC';
  if (!isKnown) return `The format '${form}' only supported since microversion 1.39. Got`;
  if (traits.includes(''))
    return `Expected '${parameter}' parameter value of the form: ${form}. Got an empty trait in`;
  if (traits.some((trait) => trait.startsWith('!')))
    return `The format '${form}' does not support forbidden traits. Got`;
  required.push([...new Set(traits)]);
  return undefined;
}

function takeAllOf(traits: readonly string[], { forbiddenTraits, beyond }: Dialect, into: Labels) {
  const form = forbiddenTraits ? 'HW_CPU_X86_VMX,!CUSTOM_MAGIC' : 'HW_CPU_X86_VMX,CUSTOM_MAGIC';
  const wrong = (got: string) => `Expected 'required' parameter value of the form: ${form}. ${got}`;
  for (const item of traits) {
    const name = item.replace(/^!+/, '');
    const marks = item.length - name.length;
    // Up to 1.39 any number of marks in front counts as one.
    if (marks > 1 && beyond) return wrong('Got a doubled mark in');
    if (name === '') return wrong('Got an empty trait in');
    if (marks === 0) into.required.push([name]);
    else if (forbiddenTraits) into.forbidden.push(name);
    else return wrong('Got');
  }
  return undefined;
}

/** A uuid, `in:` or `!in:` and uuids divided by commas, `!` and a uuid. */
export function readAggregates(parameter: string, value: string, reading: Reading, into: Labels): void {
  const complain = reading.of(parameter, value);
  const [, mark = '', list = ''] = /^(!in:|in:|!|)(.*)$/s.exec(value)!;
  const uuids = list.split(',');
  const wrong = uuids.find((uuid) => !isUuid(uuid));
  if (uuids.length > 1 && !mark.endsWith('in:'))
    complain(
      `Multiple values for 'member_of' must be prefixed with the 'in:' or '!in:' keyword using the valid microversion. Got: ${value}`,
    );
  else if (wrong !== undefined)
    complain(`${INVALID}Expected 'member_of' parameter to contain valid UUID(s). Got: ${wrong}`);
  else if (!mark.startsWith('!')) into.memberOf.push(uuids.map(canonicalUuid));
  else if (reading.dialect.forbiddenAggregates) into.notMemberOf.push(...uuids.map(canonicalUuid));
  else complain(`Forbidden ${parameter} parameters are not supported in the specified microversion`);
}

export function readInTree(parameter: string, value: string, reading: Reading): string | undefined {
  const uuid = value.trim();
  if (isUuid(uuid)) return canonicalUuid(uuid);
  reading.of(
    parameter,
    value,
  )(`${INVALID}Expected 'in_tree' parameter to be a format of uuid. Got: ${value}`);
  return undefined;
}

/** Suffixes divided by commas, each once. */
export function readSuffixes(parameter: string, value: string, reading: Reading): readonly string[] {
  const suffixes = [...new Set(value.split(',').map((suffix) => suffix.trim()))];
  if (suffixes.includes(''))
    reading.of(parameter, value)(
      `Empty string (unsuffixed group) can not be specified in \`${parameter}\``,
      BAD_VALUE,
      'give the unsuffixed group a suffix',
    );
  return suffixes;
}
