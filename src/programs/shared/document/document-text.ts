/** A document in the form that the command line asks for. */
import type { SomeOptions } from '../../../cli/options/command-options.ts';
import { jsonText } from '../../../report/json.ts';
import type { AnyDocument } from '../metrics/all.ts';

export type { AnyDocument };

/** Which form; parsing has settled what `--json` and `--machine-readable` mean. */
export type FormOptions = SomeOptions<'format'> | SomeOptions<'layoutFormat'>;

const formOf = (options: FormOptions): string | undefined =>
  'layoutFormat' in options ? options.layoutFormat : (options as SomeOptions<'format'>).format;

export async function documentText(options: FormOptions, document: AnyDocument): Promise<string> {
  switch (formOf(options)) {
    case 'prometheus':
      return (await import('../metrics/all.ts')).metricsText(document);
    case 'keyvalue':
      return (await import('../../../report/flat-keys.ts')).flatKeys(document.program, document);
    default:
      return jsonText(document);
  }
}
