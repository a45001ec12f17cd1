/** Holds documents against their schemas. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { type DocumentName, jsonSchema } from '../../../src/suite/documents.ts';

const ajv = new Ajv2020({
  allErrors: false,
  strict: true,
  strictTuples: false,
  strictTypes: false,
  discriminator: false,
});
const validators = new Map<DocumentName, ReturnType<typeof ajv.compile>>();

/** Fails unless the document has what its schema says and nothing else. */
export function expectValid(name: DocumentName, document: unknown, what: string): void {
  let validate = validators.get(name);
  if (!validate) {
    validate = ajv.compile(jsonSchema(name, true));
    validators.set(name, validate);
  }
  if (!validate(document)) expect.fail(`${what}: ${ajv.errorsText(validate.errors)}`);
}
