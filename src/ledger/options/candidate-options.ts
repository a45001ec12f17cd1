/** What hcand is asked; what an option is, the table that takes these in says. */
import { optionTable } from '../../kit/cli/options/option-table.ts';

export const CANDIDATE_OPTIONS = optionTable('search', {
  query: {
    metavar: 'QUERY',
    help: 'the query as a query string, parameters separated by &',
    manual: `The query as one query string, as it would be sent over HTTP: parameters separated by *&*, with *%xx* and *+* decoded. Parameters may also be given
one by one as arguments, without encoding.`,
  },
  distinct: {
    metavar: 'BY',
    default: 'mappings',
    choices: ['mappings', 'allocations'],
    help: 'candidates differ in their mappings, or allocations',
    manual: `What makes two candidates differ: with *mappings* they differ when another provider serves a group, with *allocations* only when another amount
is taken from a provider.`,
  },
  order: {
    metavar: 'BY',
    default: 'name',
    choices: ['name', 'score'],
    isEveryday: true,
    help: 'order the candidates by name, or by score',
    manual: `What the candidates are ordered by: *name* (of the tree, then of the providers, group by group), or the cluster's *score* with the candidate placed as
an instance, best first, as *hbal*(1) computes it. A score needs a cluster, not a ledger; a limit then cuts the ordered list.`,
  },
  explainNone: {
    name: 'explain',
    group: 'questions',
    isEveryday: true,
    help: 'why there is no candidate, and what brings one',
    manual: `When there is no candidate, says how many providers each step dropped, which came closest, which rules between groups stand in the way, and which
single change of the query would bring a candidate.`,
  },
  claimFor: {
    name: 'claim',
    metavar: 'CONSUMER',
    group: 'ledger',
    isEveryday: true,
    help: 'claim the first candidate for CONSUMER',
    manual: `Claims the first candidate that is still available, for a new _CONSUMER_ (1 to 255 characters), in the ledger that *--db* names. Candidates that somebody
else has taken in the meantime are skipped.`,
  },
});
