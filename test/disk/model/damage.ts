/**
 * What becomes of a damaged schema or hardware record: a layout, a reason why there is none, or problems with
 * their places.
 */
import { staticLayout } from '../../../src/disk/facts/comparison.ts';
import { planner } from '../../../src/disk/facts/node-layout.ts';
import { volumesOf } from '../../../src/disk/facts/volumes.ts';
import { readHardware } from '../../../src/disk/model/hardware.ts';
import { Problems } from '../../../src/disk/model/problems.ts';
import { readSchema } from '../../../src/disk/model/schema.ts';
import type { Solver } from '../../../src/disk/solve/linear-program.ts';
import { readDocuments } from '../../../src/kit/yaml/document.ts';
import { pick, randomFrom } from '../solve/random-problem.ts';
import { damaged, SOUND_HARDWARE, SOUND_SCHEMAS } from './mutations.ts';

export interface Damage {
  readonly schema: string;
  readonly hardware: string;
  readonly outcome: 'refused' | 'layout' | 'infeasible' | 'unfinished';
  /** What is wrong with how it was refused or laid out. */
  readonly complaints: readonly string[];
}

const SETTINGS = { rounding: 'largest', hasStrictWeights: false } as const;
const METADATA = { metadataSize: 8, metadataCopies: 2 };

/** The damage of a seed, and what becomes of it. Whatever is thrown is a fault of the program. */
export function damageOf(seed: number, solver: Solver): Damage {
  const random = randomFrom(seed);
  const isSchema = random() < 0.7;
  const sound = { schema: pick(random, SOUND_SCHEMAS), hardware: pick(random, SOUND_HARDWARE) };
  const texts = isSchema
    ? { ...sound, schema: damaged(sound.schema, random) }
    : { ...sound, hardware: damaged(sound.hardware, random) };
  return { ...texts, ...judged(texts.schema, texts.hardware, solver) };
}

function judged(
  schemaText: string,
  hardwareText: string,
  solver: Solver,
): Pick<Damage, 'outcome' | 'complaints'> {
  const problems = new Problems();
  const [schemaFile, hardwareFile] = [readDocuments(schemaText), readDocuments(hardwareText)];
  for (const one of [...schemaFile.problems, ...hardwareFile.problems]) problems.add(undefined, one);
  if (problems.found.length === 0) {
    const schema = readSchema(schemaFile.trees, problems);
    const nodes = readHardware(hardwareFile.trees, 'node', problems);
    if (problems.found.length === 0 && nodes.length > 0) {
      const outcome = planner(schema, SETTINGS, solver)(nodes[0]!);
      if (outcome.kind !== 'faulty') {
        if (outcome.kind !== 'layout') return { outcome: outcome.kind, complaints: [] };
        volumesOf(outcome, METADATA);
        const unsound = staticLayout(outcome).filter(
          ({ size, spaces }) => spaces.reduce((sum, space) => sum + space.size, 0) !== size,
        );
        return {
          outcome: 'layout',
          complaints: unsound.map(({ disk_id }) => `disk ${disk_id} does not add up`),
        };
      }
      for (const one of outcome.problems) problems.add(undefined, one);
    } else if (nodes.length === 0) problems.add({ line: 1, column: 1 }, { problem: 'no node' });
  }
  const placeless = problems.found.filter(({ line, column }) => !(line! >= 1 && column! >= 1));
  return { outcome: 'refused', complaints: placeless.map(({ problem }) => `no place: ${problem}`) };
}
