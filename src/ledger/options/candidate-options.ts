/** What hcand is asked; what an option is, the table that takes these in says. */
const ADDITION = { isAddition: true } as const;
const TEXT = {
  kind: 'text',
  argument: 'required',
  completion: 'string',
  group: 'search',
  ...ADDITION,
} as const;
const FLAG = { kind: 'flag', argument: 'none', completion: 'none', group: 'output', ...ADDITION } as const;

export const CANDIDATE_OPTIONS = {
  query: {
    ...TEXT,
    name: 'query',
    short: 'q',
    metavar: 'QUERY',
    help: 'the query as a query string, parameters separated by &',
    manual: `The query as one query string, as it would be sent over HTTP: parameters separated by *&*, with *%xx* and *+* decoded. Parameters may also be given
one by one as arguments, without encoding.`,
  },
  distinct: {
    ...TEXT,
    name: 'distinct',
    kind: 'choice',
    metavar: 'BY',
    completion: { choices: ['mappings', 'allocations'] },
    default: 'mappings',
    help: 'what makes two candidates differ',
    manual: `What makes two candidates differ: with *mappings* they differ when another provider serves a group, with *allocations* only when another amount
is taken from a provider.`,
  },
  order: {
    ...TEXT,
    name: 'order',
    kind: 'choice',
    metavar: 'BY',
    completion: { choices: ['name', 'score'] },
    default: 'name',
    group: 'output',
    help: 'what the candidates are ordered by',
    manual: `What the candidates are ordered by: *name* (of the tree, then of the providers, group by group), or the cluster's *score* with the candidate placed as
an instance, best first, as *hbal*(1) computes it. A score needs a cluster, not a ledger; a limit then cuts the ordered list.`,
  },
  explainNone: {
    ...FLAG,
    name: 'explain',
    help: 'say why there is no candidate, and what would bring one',
    manual: `When there is no candidate, says how many providers each step dropped, which came closest, which rules between groups stand in the way, and which
single change of the query would bring a candidate.`,
  },
  claimFor: {
    ...TEXT,
    name: 'claim',
    metavar: 'CONSUMER',
    help: 'claim the first candidate that is still available',
    manual: `Claims the first candidate that is still available, for a new _CONSUMER_ (1 to 64 characters), in the ledger that *--db* names. Candidates that somebody
else has taken in the meantime are skipped.`,
  },
} as const;
