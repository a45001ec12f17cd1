/**
 * The tables of pods and bindings, beside the ledger's; see docs/why/binding.md. Times in milliseconds since
 * 1970; affinities are JSON with sorted keys, so that equal ones are equal texts. `pod_registry` has one row:
 * the generation that every change of pods raises, and the policy.
 */
import type { Component, Migration } from '../../store/migrations.ts';
import { USUAL_POLICY } from '../model/pod.ts';

const FIRST: Migration = {
  version: 1,
  schema: `
CREATE TABLE pod_registry (
  id {integer} NOT NULL PRIMARY KEY CHECK (id = 1),
  generation {integer} NOT NULL,
  removed_at {integer} NOT NULL,
  affinity_keys {text} NOT NULL,
  policy {text} NOT NULL
) {table};

CREATE TABLE pods (
  id {id},
  name {text} NOT NULL UNIQUE,
  az {text} NOT NULL,
  affinity {text} NOT NULL,
  created_at {integer} NOT NULL,
  weight {text},
  cost {text},
  state {text} NOT NULL CHECK (state IN ('open', 'maintenance', 'closed')),
  state_at {integer} NOT NULL,
  limits {text} NOT NULL,
  usage {text},
  usage_at {integer},
  verdict {text},
  exhausted {integer} NOT NULL CHECK (exhausted IN (0, 1)),
  generation {integer} NOT NULL
) {table};
CREATE INDEX pods_generation ON pods (generation);
CREATE INDEX pods_affinity ON pods (affinity);

CREATE TABLE pod_changes (
  id {id},
  generation {integer} NOT NULL,
  at {integer} NOT NULL,
  actor {text} NOT NULL,
  action {text} NOT NULL,
  pod_id {integer},
  pod_name {text},
  after {text}
) {table};
CREATE INDEX pod_changes_pod ON pod_changes (pod_id, id);
CREATE INDEX pod_changes_generation ON pod_changes (generation);

CREATE TABLE bindings (
  id {id},
  tenant {text} NOT NULL,
  pod_id {integer} NOT NULL REFERENCES pods (id),
  az {text} NOT NULL,
  affinity {text} NOT NULL,
  start_at {integer} NOT NULL,
  end_at {integer},
  expires_at {integer},
  reason {text} NOT NULL,
  end_reason {text},
  actor {text} NOT NULL,
  generation {integer} NOT NULL,
  CHECK (end_at IS NULL OR end_at >= start_at),
  CHECK ((end_at IS NULL) = (end_reason IS NULL))
) {table};
CREATE UNIQUE INDEX bindings_current ON bindings (tenant, affinity, az) WHERE end_at IS NULL;
CREATE INDEX bindings_tenant ON bindings (tenant, id);
CREATE INDEX bindings_pod ON bindings (pod_id) WHERE end_at IS NULL;
CREATE INDEX bindings_pod_past ON bindings (pod_id, id);
CREATE INDEX bindings_expiry ON bindings (expires_at) WHERE end_at IS NULL AND expires_at IS NOT NULL;
`,
  async fill(session) {
    await session.run(
      "INSERT INTO pod_registry (id, generation, removed_at, affinity_keys, policy) VALUES (1, 0, 0, '[]', ?)",
      [JSON.stringify(USUAL_POLICY)],
    );
  },
};

export const PODS: Component = { name: 'pods', madeBy: 'hbind init', migrations: [FIRST] };
