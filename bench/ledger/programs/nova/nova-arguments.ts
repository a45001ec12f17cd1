/**
 * What `npm run check -- nova` is asked, and the packages that it needs: read before the cloud is brought up,
 * and again by the exercise.
 */
import { readArguments, refuse } from '../../../arguments.ts';
import { STORES } from '../hplaced/ledger-services.ts';

export const PACKAGES =
  'python3-nova python3-keystone rabbitmq-server mariadb-server python3-pymysql python3-openstackclient python3-osc-placement python3-placement procps'.split(
    ' ',
  );
const PARTS = [...STORES, 'change-over'] as const;
const USAGE = `usage: npm run check -- nova [--part ${PARTS.join('|')}|all] [--short] [--seed N]`;

export function readNovaArguments() {
  const { values } = readArguments(USAGE, {
    part: { type: 'string', default: 'all' },
    short: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
  });
  const parts = PARTS.filter((name) => values.part === 'all' || values.part === name);
  if (parts.length === 0) refuse(USAGE, `There is no part '${values.part}'`);
  return { parts, isShort: values.short, seed: Number(values.seed) };
}
