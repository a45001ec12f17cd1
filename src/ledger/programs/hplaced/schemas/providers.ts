/** Bodies of requests about providers, their inventories, traits and aggregates, by microversion. */
import type { JsonSchema } from '../../../http/json-check.ts';
import * as C from './common.ts';

const LONGEST_PROVIDER_NAME = 200;
const PROVIDER_NAME: JsonSchema = { ...C.NAME, maxLength: LONGEST_PROVIDER_NAME };
const PARENT: JsonSchema = { type: ['string', 'null'], format: 'uuid' };

const POST_PROVIDER = C.record({ name: PROVIDER_NAME, uuid: C.UUID }, ['name']);
const POST_PROVIDER_14 = C.record({ name: PROVIDER_NAME, uuid: C.UUID, parent_provider_uuid: PARENT }, [
  'name',
]);
const PUT_PROVIDER = C.record({ name: PROVIDER_NAME }, ['name']);
const PUT_PROVIDER_14 = C.record({ name: PROVIDER_NAME, parent_provider_uuid: PARENT }, ['name']);

export const postProvider = (minor: number): JsonSchema => (minor >= 14 ? POST_PROVIDER_14 : POST_PROVIDER);
export const putProvider = (minor: number): JsonSchema => (minor >= 14 ? PUT_PROVIDER_14 : PUT_PROVIDER);

const whole = (minimum: number): JsonSchema => ({ type: 'integer', minimum, maximum: C.MOST_INTEGER });
const INVENTORY = {
  resource_provider_generation: C.INTEGER,
  total: whole(1),
  reserved: whole(0),
  min_unit: whole(1),
  max_unit: whole(1),
  step_size: whole(1),
  allocation_ratio: { type: 'number', maximum: C.MOST_RATIO },
} as const;

export const POST_INVENTORY = C.record(
  { ...INVENTORY, resource_class: { type: 'string', pattern: C.CLASS_PATTERN } },
  ['total', 'resource_class'],
);
export const PUT_INVENTORY = C.record(INVENTORY, ['total', 'resource_provider_generation']);
export const PUT_INVENTORIES = C.record(
  {
    resource_provider_generation: C.INTEGER,
    inventories: C.keyed(C.CLASS_PATTERN, C.record(INVENTORY, ['total'])),
  },
  ['resource_provider_generation', 'inventories'],
);

const AGGREGATE_LIST: JsonSchema = { type: 'array', items: C.UUID, uniqueItems: true };
const PUT_AGGREGATES_19 = C.record({ aggregates: AGGREGATE_LIST, resource_provider_generation: C.INTEGER }, [
  'aggregates',
  'resource_provider_generation',
]);
export const putAggregates = (minor: number): JsonSchema =>
  minor >= 19 ? PUT_AGGREGATES_19 : AGGREGATE_LIST;

export const PUT_TRAITS = C.record(
  { traits: { type: 'array', items: C.NAME }, resource_provider_generation: C.INTEGER },
  ['traits', 'resource_provider_generation'],
);
export const CLASS_NAME = C.record({ name: C.CUSTOM_NAME }, ['name']);
