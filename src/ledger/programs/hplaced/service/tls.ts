/** The certificate of the service and its key. */
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { ExecutionError, UsageError } from '../../../../kit/faults.ts';
import type { ProgramOptions } from '../../../options/command-options.ts';

function readFile(option: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ExecutionError(
      `--${option} ${file}: ${(error as Error).message}`,
      'check the name and the rights of the file',
    );
  }
}

export function tlsOf({
  tlsCert,
  tlsKey,
}: ProgramOptions<'hplaced'>): { cert: string; key: string } | undefined {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined)
    throw new UsageError('--tls-cert and --tls-key belong together', 'name both, or neither');
  const tls = { cert: readFile('tls-cert', tlsCert), key: readFile('tls-key', tlsKey) };
  try {
    createSecureContext(tls);
  } catch (error) {
    throw new ExecutionError(
      `--tls-cert ${tlsCert}, --tls-key ${tlsKey}: ${(error as Error).message}`,
      'name a certificate and its own key, both in PEM form',
    );
  }
  return tls;
}
