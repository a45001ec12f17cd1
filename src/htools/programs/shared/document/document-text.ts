/** A document about a cluster in the form that the command line asks for. */
import { documentIn } from '../../../../kit/results/document-text.ts';
import type { SomeOptions } from '../../../options/command-options.ts';
import type { AnyDocument } from '../metrics/all.ts';

export type { AnyDocument };

export const documentText = ({ format }: SomeOptions<'format'>, document: AnyDocument): Promise<string> =>
  documentIn(format, document, async () => (await import('../metrics/all.ts')).familiesOf);
