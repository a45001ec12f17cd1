/** What policies may name. */
import { FILTERS } from '../filters/filters.ts';
import { WEIGHERS } from '../weighers/weighers.ts';

export const filterNames: readonly string[] = FILTERS.map(({ name }) => name);
export const weigherNames: readonly string[] = WEIGHERS.map(({ name }) => name);
