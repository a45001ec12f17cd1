/** Every document by the name of its file in schemas/, and the schemas as JSON. */
import { z } from 'zod';
import { hcompress, hredist, hspread } from './groups.ts';
import { hail, hailExplanation } from './hail.ts';
import { harep } from './harep.ts';
import { hbal } from './hbal.ts';
import { hbind } from './hbind.ts';
import { hcand } from './hcand.ts';
import { hcheck } from './hcheck.ts';
import { change, hclaim } from './hclaim.ts';
import { hdisk } from './hdisk.ts';
import { hinfo } from './hinfo.ts';
import { hspace } from './hspace.ts';
import { hroller, hscan, hsqueeze } from './maintain.ts';
import { SCHEMA_VERSION } from './parts/common.ts';

export const DOCUMENTS = {
  hail: { title: "hail's answer", schema: hail },
  'hail-explanation': { title: 'What hail --explain writes', schema: hailExplanation },
  harep: { title: 'harep --json', schema: harep },
  hbal: { title: 'hbal --json', schema: hbal },
  hbind: { title: 'hbind --json', schema: hbind },
  hcand: { title: 'hcand --json', schema: hcand },
  hcheck: { title: 'hcheck --json', schema: hcheck },
  hclaim: { title: 'hclaim --json', schema: hclaim },
  'hclaim-change': { title: 'A line of hclaim watch --json', schema: change },
  hcompress: { title: 'hcompress --json', schema: hcompress },
  hdisk: { title: 'hdisk --json', schema: hdisk },
  hinfo: { title: 'hinfo --json', schema: hinfo },
  hredist: { title: 'hredist --json', schema: hredist },
  hroller: { title: 'hroller --json', schema: hroller },
  hscan: { title: 'hscan --json', schema: hscan },
  hspace: { title: 'hspace --json', schema: hspace },
  hspread: { title: 'hspread --json', schema: hspread },
  hsqueeze: { title: 'hsqueeze --json', schema: hsqueeze },
} as const satisfies Record<string, { readonly title: string; readonly schema: z.ZodType }>;

export type DocumentName = keyof typeof DOCUMENTS;

/**
 * The schema of a document in JSON Schema 2020-12.
 * @param isClosed whether members that the schema does not know are refused: so in our tests. The published schemas let them pass, since
 * new members come without a new schemaVersion.
 */
export function jsonSchema(document: DocumentName, isClosed: boolean): Record<string, unknown> {
  const { title, schema } = DOCUMENTS[document];
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: isClosed ? 'output' : 'input' });
  return { $schema, $id: `urn:evenkeel:${document}:${SCHEMA_VERSION}`, title, ...rest };
}

/** The file of a published schema. */
export const schemaText = (document: DocumentName): string =>
  `${JSON.stringify(jsonSchema(document, false), undefined, 2)}\n`;
