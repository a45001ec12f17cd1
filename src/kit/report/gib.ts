/** Amounts in GiB, as reports for people have them: one digit after the point. */
import { MIB_PER_GIB } from '../units.ts';

/** @param mib an amount in MiB; the unit is for the heading or the sentence to say */
export const gib = (mib: number): string => (mib / MIB_PER_GIB).toFixed(1);
