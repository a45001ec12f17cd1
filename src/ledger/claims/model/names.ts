/** What may be a name in the ledger. */

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const CUSTOM = /^CUSTOM_[A-Z0-9_]+$/;
const PRINTABLE = /^[^\x00-\x1f\x7f]+$/;

const MAX_NAME_LENGTH = 255;
export const MAX_PROVIDER_NAME_LENGTH = 200;
export const MAX_CONSUMER_LENGTH = 64;

export const isUuid = (text: string): boolean => UUID.test(text);

/** Names that a user may make for a class or a trait. */
export const isCustomName = (text: string): boolean => CUSTOM.test(text) && text.length <= MAX_NAME_LENGTH;

export const isProviderName = (text: string): boolean =>
  PRINTABLE.test(text) && text.length <= MAX_PROVIDER_NAME_LENGTH;

/** Any text of 1 to 64 characters, as in the original design; usually a UUID or the name of an instance. */
export const isConsumerName = (text: string): boolean =>
  PRINTABLE.test(text) && text.length <= MAX_CONSUMER_LENGTH;

/** The text as the name of a custom trait or class: `CUSTOM_`, upper case, other characters to `_`. */
export const customName = (text: string): string =>
  `CUSTOM_${text.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`.slice(0, MAX_NAME_LENGTH);
