/** Answers of live clusters as fuzz inputs: the recorded ones, put together as one JSON document. */
import { readFileSync } from 'node:fs';
import { prepareSnapshot } from '../../src/htools/cluster/prepare/prepare.ts';
import { decodeResult } from '../../src/htools/ganeti/luxi/message.ts';
import { decodeAnswer } from '../../src/htools/ganeti/wire/answer-text.ts';
import { type LuxiAnswers, luxiCluster } from '../../src/htools/sources/luxi/luxi-cluster.ts';
import { type RapiAnswers, rapiCluster } from '../../src/htools/sources/rapi/rapi-cluster.ts';

const HEALTHY = new URL('../../testdata/live/healthy/', import.meta.url);
const SOURCE_NAME = 'input';
const QUESTIONS = ['nodes', 'instances', 'cluster', 'groups', 'networks'] as const;
const RESOURCES = ['groups', 'nodes', 'instances', 'info'] as const;

const textOf = (name: string): string => readFileSync(new URL(name, HEALTHY), 'utf8');

/** The results of the questions over LUXI, as the result of one. */
export function luxiText(): string {
  const results = textOf('luxi.jsonl')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(JSON.parse(line).answer).result);
  const result = Object.fromEntries(QUESTIONS.map((name, at) => [name, results[at]]));
  return JSON.stringify({ success: true, result });
}

export function readLuxiText(bytes: Buffer): void {
  const answers = decodeResult('Query', bytes) as LuxiAnswers | null;
  prepareSnapshot(luxiCluster({ ...(answers as LuxiAnswers) }, SOURCE_NAME), {});
}

/** One resource of RAPI; the others are as they were recorded. */
export const rapiText = (resource: (typeof RESOURCES)[number]): string => textOf(`${resource}.json`);

export function readRapiText(resource: (typeof RESOURCES)[number], bytes: Buffer): void {
  const texts = Object.fromEntries(RESOURCES.map((name) => [name, textOf(`${name}.json`)]));
  const answers = { ...texts, [resource]: decodeAnswer(bytes) } as unknown as RapiAnswers;
  prepareSnapshot(rapiCluster(answers, SOURCE_NAME), {});
}
