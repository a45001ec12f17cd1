/** What `npm run live` is asked: read before the cluster is brought up, and again by the checks inside it. */
import { readArguments } from '../../arguments.ts';

const USAGE = 'usage: npm run live -- [--short] [--seed N] [--parts A,B]';

export const readLiveArguments = () =>
  readArguments(USAGE, {
    short: { type: 'boolean', default: false },
    seed: { type: 'string' },
    parts: { type: 'string' },
  }).values;
