/** A document in the form that the command line asks for. */
import { jsonText } from '../report/json.ts';
import type { Family } from '../report/prometheus.ts';

/**
 * @param form as parsing has settled it @param loadFigures those for Prometheus; called for that form only
 * @param isWell whether nothing failed of what it tells
 */
export async function documentIn<D extends { readonly program: string }>(
  form: string | undefined,
  document: D,
  loadFigures: () => Promise<(document: D) => readonly Family[]>,
  isWell = true,
): Promise<string> {
  switch (form) {
    case 'prometheus': {
      const { prometheusText } = await import('../report/prometheus.ts');
      return prometheusText((await loadFigures())(document));
    }
    case 'keyvalue':
      return (await import('../report/key-value.ts')).flatKeys(document.program, document, isWell);
    default:
      return jsonText(document);
  }
}
