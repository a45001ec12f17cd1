/** `--config`: words of a file, ahead of those of the command line. */
import { InputError } from '../../../../kit/faults.ts';
import { readInput } from '../../../../kit/files/read-input.ts';
import { decodeUtf8 } from '../../../../kit/files/utf8.ts';
import type { SomeOptions } from '../../../options/command-options.ts';

/**
 * @returns what a command line would say in place of the section, with all faults of the file
 * @throws InputError where it cannot be read
 */
export async function configure(
  program: string,
  { config, checkConfig }: SomeOptions<'config' | 'checkConfig'>,
  commandLine: readonly string[],
): Promise<{ readonly words: readonly string[]; readonly fault?: InputError | undefined } | undefined> {
  const file = checkConfig ?? config;
  if (file === undefined) return undefined;
  const { configWords, writesFile } = await import('./config-words.ts');
  const { words, problems } = configWords(decodeUtf8(readInput(file), file), { [program]: commandLine });
  const own = words[program] ?? [];
  return {
    // What is told of the file itself goes where the command line says, and nothing else is written.
    words: checkConfig === undefined ? own : own.filter((word) => !writesFile(program, word)),
    fault: problems.length > 0 ? new InputError(file, problems) : undefined,
  };
}
