/** What may be a name in the ledger; UUIDs. */
import { createHash } from 'node:crypto';
import { isPrintable } from '../../../kit/printable.ts';

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const CUSTOM = /^CUSTOM_[A-Z0-9_]+$/;

export const MAX_NAME_LENGTH = 255;
export const MAX_PROVIDER_NAME_LENGTH = 200;

/** A provider marked with this trait serves trees that have an aggregate in common with it. */
export const SHARING_TRAIT = 'MISC_SHARES_VIA_AGGREGATE';

/** Owner of what was allocated before owners were asked for (up to 1.7), as Placement names it. */
export const UNKNOWN_OWNER = '00000000-0000-0000-0000-000000000000';

export const isUuid = (text: string): boolean => UUID.test(text);

/** The form in which UUIDs are kept and compared: lower case, with dashes. */
export const canonicalUuid = (text: string): string =>
  text
    .replaceAll('-', '')
    .toLowerCase()
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.*)$/, '$1-$2-$3-$4-$5');

/** A name as it is kept: one that is a UUID, in whichever of its spellings, is one name. */
export const keptName = (text: string): string =>
  /^[0-9a-f-]{32,36}$/i.test(text) && text.replaceAll('-', '').length === 32 ? canonicalUuid(text) : text;

/** Names that a user may make for a class or a trait. */
export const isCustomName = (text: string): boolean => CUSTOM.test(text) && text.length <= MAX_NAME_LENGTH;

export const isProviderName = (text: string): boolean => isPrintable(text, MAX_PROVIDER_NAME_LENGTH);

/** Consumers (by a UUID, or the name of an instance), their projects, users and kinds; who changes them. */
export const isHolderName = (text: string): boolean => isPrintable(text, MAX_NAME_LENGTH);

/** The text as the name of a custom trait or class: `CUSTOM_`, upper case, other characters to `_`. */
export const customName = (text: string): string =>
  `CUSTOM_${text.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`.slice(0, MAX_NAME_LENGTH);

const VERSION_5 = 0x50;
const VARIANT = 0x80;

/**
 * A UUID that follows from a name: the same cluster gives the same providers, however often it is imported.
 * @param kind what the name names, such as `node`: equal names of different kinds get different UUIDs.
 */
export function derivedUuid(kind: string, name: string): string {
  const bytes = createHash('sha1').update(`evenkeel:${kind}:${name}`).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | VERSION_5;
  bytes[8] = (bytes[8]! & 0x3f) | VARIANT;
  return canonicalUuid(bytes.toString('hex'));
}
