/** The tables of nodes and instances on standard error, where the command line asks for them. */
import type { FieldSelection } from '../../../../kit/cli/options/option.ts';
import { instanceRows } from '../../../explain/state/instance-rows.ts';
import { nodeRows } from '../../../explain/state/node-rows.ts';
import type { Figures } from '../../../model/state/moved-snapshot.ts';
import type { Scope } from '../../../model/state/scope.ts';
import type { ClusterState } from '../../../model/state/state.ts';
import { instanceListing } from './instance-table.ts';
import { DEFAULT_NODE_FIELDS, nodeListing } from './node-table.ts';

export interface Listed {
  readonly printNodes: FieldSelection | undefined;
  readonly printInstances: boolean;
  /** Free memory as stock shows it. */
  readonly stockFigures?: boolean;
}

/** Names of the columns that `-p` selects. */
export function fieldNames({ isExtending, names }: FieldSelection): readonly string[] {
  if (isExtending) return [...DEFAULT_NODE_FIELDS, ...names];
  return names.length > 0 ? names : DEFAULT_NODE_FIELDS;
}

/** What `--stock-figures` says about the figures of nodes. */
export const figuresOf = ({ stockFigures }: Pick<Listed, 'stockFigures'>): Figures =>
  stockFigures ? 'stock' : 'true';

/**
 * The instance map and the node table, in stock's order; empty when neither is wanted.
 * @param instanceTitle for example `Initial` @param nodeTitle for example `Initial cluster`
 */
export function listings(
  wanted: Listed,
  state: ClusterState,
  scope: Scope,
  instanceTitle: string,
  nodeTitle: string,
): string {
  const instances = wanted.printInstances
    ? instanceListing(instanceTitle, instanceRows(state, scope.instances))
    : '';
  const nodes = wanted.printNodes
    ? nodeListing(nodeTitle, nodeRows(state, scope.nodes, figuresOf(wanted)), fieldNames(wanted.printNodes))
    : '';
  return instances + nodes;
}
