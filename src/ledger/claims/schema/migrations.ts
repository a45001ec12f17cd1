/**
 * The tables of the ledger, see docs/why/claims.md. Times in milliseconds since 1970 (UTC), ratios as decimal
 * text. `inventories.used` and `owner_totals` are sums over `allocations` that every change keeps.
 */
import type { Component, Migration } from '../../store/migrations.ts';
import { insertRows } from '../../store/rows.ts';
import { keptName } from '../model/names.ts';
import { STANDARD_CLASSES, STANDARD_TRAITS } from './standard-names.ts';

const FIRST: Migration = {
  version: 1,
  schema: `
CREATE TABLE resource_providers (
  id {id},
  uuid {text} NOT NULL UNIQUE,
  name {text} NOT NULL UNIQUE,
  generation {integer} NOT NULL DEFAULT 0,
  can_host {integer} NOT NULL DEFAULT 1 CHECK (can_host IN (0, 1)),
  parent_id {integer} REFERENCES resource_providers (id),
  root_id {integer} REFERENCES resource_providers (id),
  created_at {integer} NOT NULL,
  updated_at {integer} NOT NULL
) {table};
CREATE INDEX resource_providers_parent ON resource_providers (parent_id);
CREATE INDEX resource_providers_root ON resource_providers (root_id);

CREATE TABLE resource_classes (
  id {id}, name {text} NOT NULL UNIQUE, created_at {integer} NOT NULL, updated_at {integer} NOT NULL) {table};
CREATE TABLE traits (
  id {id}, name {text} NOT NULL UNIQUE, created_at {integer} NOT NULL, updated_at {integer} NOT NULL) {table};
CREATE TABLE aggregates (id {id}, uuid {text} NOT NULL UNIQUE, name {text}, created_at {integer} NOT NULL) {table};
CREATE TABLE projects (id {id}, external_id {text} NOT NULL UNIQUE) {table};
CREATE TABLE users (id {id}, external_id {text} NOT NULL UNIQUE) {table};
CREATE TABLE consumer_types (id {id}, name {text} NOT NULL UNIQUE) {table};

CREATE TABLE provider_traits (
  provider_id {integer} NOT NULL REFERENCES resource_providers (id),
  trait_id {integer} NOT NULL REFERENCES traits (id),
  PRIMARY KEY (provider_id, trait_id)
) {keyed table};
CREATE INDEX provider_traits_trait ON provider_traits (trait_id, provider_id);

CREATE TABLE provider_aggregates (
  provider_id {integer} NOT NULL REFERENCES resource_providers (id),
  aggregate_id {integer} NOT NULL REFERENCES aggregates (id),
  PRIMARY KEY (provider_id, aggregate_id)
) {keyed table};
CREATE INDEX provider_aggregates_aggregate ON provider_aggregates (aggregate_id, provider_id);

CREATE TABLE inventories (
  provider_id {integer} NOT NULL REFERENCES resource_providers (id),
  class_id {integer} NOT NULL REFERENCES resource_classes (id),
  total {integer} NOT NULL CHECK (total >= 1),
  reserved {integer} NOT NULL CHECK (reserved >= 0 AND reserved <= total),
  min_unit {integer} NOT NULL CHECK (min_unit >= 1),
  max_unit {integer} NOT NULL CHECK (max_unit >= 1),
  step_size {integer} NOT NULL CHECK (step_size >= 1),
  allocation_ratio {text} NOT NULL,
  used {integer} NOT NULL DEFAULT 0 CHECK (used >= 0),
  created_at {integer} NOT NULL,
  updated_at {integer} NOT NULL,
  PRIMARY KEY (provider_id, class_id)
) {keyed table};
CREATE INDEX inventories_class ON inventories (class_id, provider_id);

CREATE TABLE consumers (
  id {id},
  uuid {text} NOT NULL UNIQUE,
  project_id {integer} REFERENCES projects (id),
  user_id {integer} REFERENCES users (id),
  type_id {integer} REFERENCES consumer_types (id),
  generation {integer} NOT NULL DEFAULT 0,
  expires_at {integer},
  created_at {integer} NOT NULL,
  updated_at {integer} NOT NULL
) {table};
CREATE INDEX consumers_project ON consumers (project_id, user_id);
CREATE INDEX consumers_expiry ON consumers (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE allocations (
  consumer_id {integer} NOT NULL REFERENCES consumers (id),
  provider_id {integer} NOT NULL,
  class_id {integer} NOT NULL,
  used {integer} NOT NULL CHECK (used >= 1),
  updated_at {integer} NOT NULL,
  PRIMARY KEY (consumer_id, provider_id, class_id),
  FOREIGN KEY (provider_id, class_id) REFERENCES inventories (provider_id, class_id)
) {keyed table};
CREATE INDEX allocations_provider ON allocations (provider_id, class_id, used, consumer_id);

CREATE TABLE owner_totals (
  project_id {integer} NOT NULL,
  user_id {integer} NOT NULL,
  type_id {integer} NOT NULL,
  class_id {integer} NOT NULL REFERENCES resource_classes (id),
  bucket {integer} NOT NULL,
  used {integer} NOT NULL,
  PRIMARY KEY (project_id, user_id, type_id, class_id, bucket)
) {keyed table};

CREATE TABLE history (
  id {id},
  at {integer} NOT NULL,
  request {text} NOT NULL,
  actor {text} NOT NULL,
  reason {text},
  action {text} NOT NULL,
  provider_id {integer},
  provider_name {text},
  generation {integer},
  consumer {text},
  project {text},
  before {text},
  after {text}
) {table};
CREATE INDEX history_at ON history (at, id);
CREATE INDEX history_provider ON history (provider_id, id);
CREATE INDEX history_consumer ON history (consumer, id);
`,
  async fill(session) {
    const named = (names: readonly string[]) => names.map((name) => [name, 0, 0]);
    await insertRows(session, 'resource_classes (name, created_at, updated_at)', named(STANDARD_CLASSES));
    await insertRows(session, 'traits (name, created_at, updated_at)', named(STANDARD_TRAITS));
  },
};

/**
 * Ends belong to allocations: so much of one goes back then. Claimed moves are known from changes that nobody
 * has made yet. The history can be pruned: of a provider's changes those above `history_from` are there.
 */
const SECOND: Migration = {
  version: 2,
  schema: `
CREATE TABLE allocation_ends (
  consumer_id {integer} NOT NULL,
  provider_id {integer} NOT NULL,
  class_id {integer} NOT NULL,
  expires_at {integer} NOT NULL,
  amount {integer} NOT NULL CHECK (amount >= 1),
  PRIMARY KEY (consumer_id, provider_id, class_id, expires_at),
  FOREIGN KEY (consumer_id, provider_id, class_id) REFERENCES allocations (consumer_id, provider_id, class_id)
) {keyed table};
CREATE INDEX allocation_ends_due ON allocation_ends (expires_at, consumer_id);
INSERT INTO allocation_ends (consumer_id, provider_id, class_id, expires_at, amount)
  SELECT a.consumer_id, a.provider_id, a.class_id, k.expires_at, a.used
  FROM allocations a JOIN consumers k ON k.id = a.consumer_id WHERE k.expires_at IS NOT NULL;
DROP INDEX consumers_expiry;
ALTER TABLE consumers DROP COLUMN expires_at;
ALTER TABLE consumers ADD COLUMN moving_from {text};
ALTER TABLE resource_providers ADD COLUMN history_from {integer} NOT NULL DEFAULT 0;
CREATE INDEX history_prunes ON history (id) WHERE action = 'prune';
`,
};

/** Where an instance is until it is moved was a list of providers, and is what it has of each. */
const THIRD: Migration = {
  version: 3,
  schema: '',
  async fill(session) {
    const rows = await session.all<{ id: number; moving_from: string }>(
      'SELECT id, moving_from FROM consumers WHERE moving_from IS NOT NULL',
    );
    for (const { id, moving_from: list } of rows) {
      const amounts = Object.fromEntries((JSON.parse(list) as string[]).map((uuid) => [uuid, {}]));
      await session.run('UPDATE consumers SET moving_from = ? WHERE id = ?', [JSON.stringify(amounts), id]);
    }
  },
};

/** Consumers that are UUIDs have one spelling; one that is there in both keeps them. */
const FOURTH: Migration = {
  version: 4,
  schema: '',
  async fill(session) {
    const rows = await session.all<{ uuid: string }>('SELECT uuid FROM consumers');
    const names = new Set(rows.map(({ uuid }) => uuid));
    for (const uuid of names) {
      const name = keptName(uuid);
      if (names.has(name)) continue;
      names.add(name);
      await session.run('UPDATE consumers SET uuid = ? WHERE uuid = ?', [name, uuid]);
      await session.run('UPDATE history SET consumer = ? WHERE consumer = ?', [name, uuid]);
    }
  },
};

export const CLAIMS: Component = {
  name: 'claims',
  madeBy: 'hclaim init',
  migrations: [FIRST, SECOND, THIRD, FOURTH],
};
