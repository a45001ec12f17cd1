/** Schemas and hardware from texts, for tests. */
import { evaluateSchema } from '../../../src/disk/model/evaluate-schema.ts';
import { readHardware } from '../../../src/disk/model/hardware.ts';
import { Problems } from '../../../src/disk/model/problems.ts';
import { readSchema } from '../../../src/disk/model/schema.ts';
import type { Spaces } from '../../../src/disk/model/spaces.ts';
import { readDocuments } from '../../../src/kit/yaml/document.ts';

export interface Read {
  readonly spaces: Spaces;
  /** `line:column field: problem` */
  readonly problems: readonly string[];
  /** Of these, those that do not say what to do. */
  readonly withoutRemedy: readonly string[];
  /** `line: message` */
  readonly warnings: readonly string[];
}

const START = { line: 1, column: 1 };

/** Everything that reading and evaluating a schema over a node's hardware gives and says. */
export function readAll(schemaText: string, hardwareText: string): Read {
  const problems = new Problems();
  const documents = [schemaText, hardwareText].map((text) => readDocuments(text));
  for (const one of documents.flatMap((document) => document.problems)) problems.add(undefined, one);
  // A file that cannot be read has no content to look at.
  const isReadable = problems.found.length === 0;
  const schema = readSchema(
    isReadable ? documents[0]!.trees : [{ kind: 'list', items: [], place: START }],
    problems,
  );
  const [hardware] = readHardware(documents[1]!.trees, 'node', problems);
  const spaces = hardware ? evaluateSchema(schema, hardware, problems) : { spaces: [], containers: [] };
  return {
    spaces,
    problems: problems.found.map(
      ({ line, column, field, problem }) => `${line}:${column} ${field ?? ''}: ${problem}`,
    ),
    withoutRemedy: problems.found.flatMap(({ remedy, problem }) => (remedy ? [] : [problem])),
    warnings: problems.warnings.map(({ line, message }) => `${line}: ${message}`),
  };
}
