/** Every document by the name of its file in schemas/, and the schemas as JSON. */
import { z } from 'zod';
import { hdisk } from '../disk/results/hdisk.ts';
import { CLUSTER_DOCUMENTS } from '../htools/results/all.ts';
import { SCHEMA_VERSION } from '../kit/report/json.ts';
import type { NamedDocuments } from '../kit/results/members.ts';
import { LEDGER_DOCUMENTS } from '../ledger/results/all.ts';

export const DOCUMENTS = {
  ...CLUSTER_DOCUMENTS,
  ...LEDGER_DOCUMENTS,
  hdisk: { title: 'hdisk --json', schema: hdisk },
} as const satisfies NamedDocuments;

export type DocumentName = keyof typeof DOCUMENTS;

/**
 * The document in JSON Schema 2020-12. @param isClosed refuses unknown members, as in our tests; the
 * published ones let them pass, since new members raise no schemaVersion.
 */
export function jsonSchema(document: DocumentName, isClosed: boolean): Record<string, unknown> {
  const { title, schema } = DOCUMENTS[document];
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: isClosed ? 'output' : 'input' });
  return { $schema, $id: `urn:evenkeel:${document}:${SCHEMA_VERSION}`, title, ...rest };
}

export const schemaText = (document: DocumentName): string =>
  `${JSON.stringify(jsonSchema(document, false), undefined, 2)}\n`;
