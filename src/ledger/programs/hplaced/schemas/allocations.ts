/** Bodies of requests about allocations, by microversion. */
import type { JsonSchema } from '../../../http/json-check.ts';
import { ENDS_SINCE } from '../protocol/microversion.ts';
import * as C from './common.ts';
import { PUT_INVENTORIES } from './providers.ts';

const RESOURCES = C.keyed(C.CLASS_PATTERN, { type: 'integer', minimum: 1 }, 1);
const OWNER = { project_id: C.NAME, user_id: C.NAME } as const;
const BY_PROVIDER = C.record({ generation: C.INTEGER, resources: RESOURCES }, ['resources']);

/** As long as any time of the command line: a hundred years. */
const LASTS: JsonSchema = { type: 'integer', minimum: 1, maximum: 100 * 365 * 86_400 };

/** Up to 1.11 allocations are a list. */
const LIST: JsonSchema = {
  type: 'array',
  minItems: 1,
  items: C.record({ resource_provider: C.record({ uuid: C.UUID }, ['uuid']), resources: RESOURCES }, [
    'resource_provider',
    'resources',
  ]),
};
const PUT_0 = C.record({ allocations: LIST }, ['allocations']);
const PUT_8 = C.record({ allocations: LIST, ...OWNER }, ['allocations', 'project_id', 'user_id']);

/** One consumer from 1.12 on. @param least how many providers there must be */
function consumer(minor: number, least: number): JsonSchema {
  return C.record(
    {
      allocations: C.keyed(C.UUID_KEY_PATTERN, BY_PROVIDER, least),
      ...OWNER,
      ...(minor >= 28 ? { consumer_generation: { type: ['integer', 'null'] } } : {}),
      ...(minor >= 34
        ? {
            mappings: {
              type: 'object',
              minProperties: 1,
              patternProperties: {
                [`^(${C.SUFFIX_PATTERN})?$`]: { type: 'array', minItems: 1, items: C.UUID },
              },
              additionalProperties: false,
            },
          }
        : {}),
      ...(minor >= 38 ? { consumer_type: { ...C.NAME, pattern: C.CLASS_PATTERN } } : {}),
      ...(minor >= ENDS_SINCE ? { lasts_seconds: LASTS } : {}),
    },
    [
      'allocations',
      'project_id',
      'user_id',
      ...(minor >= 28 ? ['consumer_generation'] : []),
      ...(minor >= 38 ? ['consumer_type'] : []),
    ],
  );
}

/** Versions at which the forms change. A schema is made once, so that its compiled form is kept. */
const STEPS = [ENDS_SINCE, 38, 34, 28, 0] as const;
const bySteps = (make: (minor: number) => JsonSchema): ((minor: number) => JsonSchema) => {
  const schemas = STEPS.map((step) => ({ step, schema: make(step) }));
  return (minor) => schemas.find(({ step }) => minor >= step)!.schema;
};
const putConsumer = bySteps((minor) => consumer(minor, minor >= 28 ? 0 : 1));

export function putAllocations(minor: number): JsonSchema {
  if (minor < 8) return PUT_0;
  return minor < 12 ? PUT_8 : putConsumer(minor);
}
export const postAllocations = bySteps((minor) => C.keyed(C.UUID_KEY_PATTERN, consumer(minor, 0), 1));
export const POST_RENEW = C.record({ lasts_seconds: LASTS }, ['lasts_seconds']);
export const postReshaper = bySteps((minor) =>
  C.record(
    {
      inventories: C.keyed(C.UUID_KEY_PATTERN, PUT_INVENTORIES, 1),
      allocations: C.keyed(C.UUID_KEY_PATTERN, consumer(minor, 0)),
    },
    ['inventories', 'allocations'],
  ),
);
