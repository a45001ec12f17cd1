/** What may be a name here. */
const PRINTABLE = /^[^\x00-\x1f\x7f]+$/;
const LONGEST = 255;

/**
 * Pods, tenants, zones, keys and values of affinities: 1 to 255 characters, none of which controls a
 * terminal.
 */
export const isName = (text: string): boolean => PRINTABLE.test(text) && text.length <= LONGEST;

export const NAME_RULE = 'names have 1 to 255 characters, none of them a control character';
