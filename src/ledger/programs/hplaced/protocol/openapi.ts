/** The routing table as an OpenAPI 3.1 document, made from the very table that is served. */
import { versionText } from '../../../http/placement.ts';
import { METHODS, type Operation, type Route } from '../../../http/route.ts';

const ERROR_SCHEMA = {
  type: 'object',
  required: ['errors'],
  properties: {
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['status', 'title', 'detail', 'request_id'],
        properties: {
          status: { type: 'integer' },
          title: { type: 'string' },
          detail: { type: 'string' },
          code: { type: 'string', description: 'From microversion 1.23 on.' },
          request_id: { type: 'string' },
        },
      },
    },
  },
} as const;

const namesIn = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

function describe(path: string, operation: Operation, minor: number): object {
  const { id, summary, since, access, success, queryNames = [], bodySchema } = operation;
  const text = { schema: { type: 'string' } };
  return {
    operationId: id,
    summary,
    description: since === 0 ? 'Since microversion 1.0.' : `Since microversion ${versionText(since)}.`,
    'x-since': versionText(since),
    ...(access === 'open' ? { security: [] } : {}),
    'x-access': access,
    parameters: [
      {
        name: 'OpenStack-API-Version',
        in: 'header',
        description: `placement 1.0 to placement ${versionText(minor)}`,
        ...text,
      },
      ...namesIn(path).map((name) => ({ name, in: 'path', required: true, ...text })),
      ...queryNames.map((name) => ({ name, in: 'query', ...text })),
    ],
    ...(bodySchema
      ? { requestBody: { required: true, content: { 'application/json': { schema: bodySchema(minor) } } } }
      : {}),
    responses: {
      [success]: { description: 'Done' },
      default: {
        description: 'Refused',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Errors' } } },
      },
    },
  };
}

/** @param minor the version whose bodies are described */
export function openApi(routes: readonly Route[], minor: number): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const { path, operations } of routes)
    for (const method of METHODS) {
      const operation = operations[method];
      if (!operation) continue;
      paths[path] ??= {};
      paths[path][method.toLowerCase()] = describe(path, operation, minor);
    }
  return {
    openapi: '3.1.0',
    info: {
      title: 'hplaced',
      description: 'Resource providers, claims and allocation candidates',
      version: versionText(minor),
    },
    security: [{ token: [] }],
    paths,
    components: {
      schemas: { Errors: ERROR_SCHEMA },
      securitySchemes: { token: { type: 'apiKey', in: 'header', name: 'X-Auth-Token' } },
    },
  };
}
