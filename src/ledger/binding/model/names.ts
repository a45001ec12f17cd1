/** What may be a name here. */
import { isPrintable } from '../../../kit/printable.ts';

const LONGEST = 255;

/** Pods, tenants, zones, keys and values of affinities: 1 to 255 characters that terminals show as is. */
export const isName = (text: string): boolean => isPrintable(text, LONGEST);

export const NAME_RULE =
  'names have 1 to 255 characters, none of them a control character or a mark of direction';
