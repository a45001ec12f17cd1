/** What may be a name in the ledger. */
import { unprintableIn } from '../../../kit/printable.ts';

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const CUSTOM = /^CUSTOM_[A-Z0-9_]+$/;

export const MAX_NAME_LENGTH = 255;
export const MAX_PROVIDER_NAME_LENGTH = 200;

/** Owner of what was allocated before owners were asked for (up to 1.7), as Placement names it. */
export const UNKNOWN_OWNER = '00000000-0000-0000-0000-000000000000';

export const isUuid = (text: string): boolean => UUID.test(text);

/** Names that a user may make for a class or a trait. */
export const isCustomName = (text: string): boolean => CUSTOM.test(text) && text.length <= MAX_NAME_LENGTH;

/** Text that a terminal shows as it is: no control characters, none that turn the writing around. */
const isPrintable = (text: string, mostLength: number): boolean =>
  text !== '' && text.length <= mostLength && unprintableIn(text) === undefined;

export const isProviderName = (text: string): boolean => isPrintable(text, MAX_PROVIDER_NAME_LENGTH);

/** Consumers (by a UUID, or the name of an instance), their projects, users and kinds; who changes them. */
export const isHolderName = (text: string): boolean => isPrintable(text, MAX_NAME_LENGTH);

/** The text as the name of a custom trait or class: `CUSTOM_`, upper case, other characters to `_`. */
export const customName = (text: string): string =>
  `CUSTOM_${text.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`.slice(0, MAX_NAME_LENGTH);
